import { createInterface } from "node:readline/promises";
import { insteadOfName } from "../../tool/internal.js";
import { decoratorChoices, templateChoices } from "../command-options.js";
import type { CommandOptions } from "../command-table.js";
import { CommandError, exitCodes, UsageError } from "../exit-codes.js";
import { canAsk, type Host } from "../host.js";

/** What a new project is like. */
export interface Choices {
  readonly template: (typeof templateChoices)[number];
  readonly decorators: (typeof decoratorChoices)[number];
  /** Whether the tool gets a service by typedi. Nest always injects. */
  readonly hasInjection: boolean;
}

/** What the options say; on a terminal, asks for the others. */
export async function choose(options: CommandOptions, host: Host): Promise<Choices> {
  const ask = canAsk(host) && options.yes !== true ? asker(host) : undefined;
  try {
    // The parser lets no other names through.
    const template = (options.template ?? (await ask?.pick("Template", templateChoices)) ?? "plain") as Choices["template"];
    if (template === "nest" && options.decorators === "standard") {
      throw new UsageError("--decorators: Nest has legacy decorators only. Leave the option out, or choose another template.");
    }
    if (template === "nest") return { template, decorators: "legacy", hasInjection: true };
    const decorators = (options.decorators ?? (await ask?.pick("Decorators", decoratorChoices)) ?? "legacy") as Choices["decorators"];
    const hasInjection = options.injection ?? (await ask?.pick("Inject services with typedi", ["no", "yes"])) === "yes";
    return { template, decorators, hasInjection };
  } finally {
    ask?.close();
  }
}

function asker({ input, errors: output }: Host) {
  const lines = createInterface({ input, output, terminal: true });
  const left = new AbortController();
  lines.on("SIGINT", () => left.abort());
  lines.on("close", () => left.abort());
  return {
    close: () => lines.close(),
    /** An empty line takes the first. */
    async pick<Choice extends string>(title: string, choices: readonly [Choice, ...Choice[]]): Promise<Choice> {
      for (;;) {
        const question = `${title} (${choices.join(", ")}) [${choices[0]}]: `;
        const line = await lines.question(question, { signal: left.signal }).catch(() => {
          throw new CommandError("Nothing was written.", exitCodes.interrupted);
        });
        const answer = line.trim().toLowerCase();
        const chosen = answer === "" ? choices[0] : choices.find((choice) => choice === answer || choice.startsWith(answer));
        if (chosen !== undefined) return chosen;
        output.write(`${insteadOfName(answer, choices)}\n`);
      }
    },
  };
}
