import { createInterface } from "node:readline/promises";
import { CommandError, exitCodes } from "../exit-codes.js";
import { canAsk, type Host, paintFor } from "../host.js";

/** The prompts of a person at the terminal until Ctrl-D, else the lines of the input. Empty lines are skipped. */
export async function* readPrompts(host: Host): AsyncGenerator<string, void> {
  if (!canAsk(host)) {
    for await (const line of createInterface({ input: host.input })) if (line.trim() !== "") yield line;
    return;
  }
  for (;;) {
    const line = await askForPrompt(host);
    if (line === undefined) return;
    if (line.trim() !== "") yield line;
  }
}

/** A reader of its own for each prompt: in between, questions about calls read from the same terminal. */
function askForPrompt(host: Host): Promise<string | undefined> {
  const { input, errors: output } = host;
  const lines = createInterface({ input, output, terminal: true });
  return new Promise((resolve, reject) => {
    lines.on("SIGINT", () => {
      output.write("\n");
      // Before the reader is closed, which ends the chat as Ctrl-D does.
      reject(new CommandError("Interrupted.", exitCodes.interrupted));
      lines.close();
    });
    lines.on("close", () => resolve(undefined));
    void lines.question(paintFor(host, output).bold("You: ")).then((line) => {
      resolve(line);
      lines.close();
    }, reject);
  });
}
