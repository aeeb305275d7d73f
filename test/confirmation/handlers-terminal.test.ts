import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { type Confirmation, confirmInTerminal, type Decision, type Question } from "../../src/confirmation/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import type { JsonSchema } from "../../src/schema/index.js";
import { description, identifier, required, requiresConfirmation, Tool } from "../../src/tool/index.js";
import { repositoryRoot } from "../support/code-blocks.js";
import { confirmationWith, situationWith } from "../support/confirmation.js";

const runs: string[] = [];

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
@requiresConfirmation()
class RefundTool extends Tool {
  @required(String) order!: string;
  @required(Number) euros!: number;

  call() {
    runs.push(`${this.order} ${this.euros}`);
    return "Refunded.";
  }
}

/** A terminal in front of which somebody waits for a question and types. */
class FakeTerminal {
  readonly input = Object.assign(new PassThrough(), { isTTY: true });
  readonly output = Object.assign(new PassThrough(), { isTTY: true, columns: 60 });
  screen = "";
  #read = 0;

  constructor() {
    this.output.setEncoding("utf8").on("data", (text: string) => {
      this.screen += text;
    });
  }

  /** Waits until the text appears after what was waited for before. */
  async sees(text: string): Promise<void> {
    const limit = Date.now() + 25_000;
    for (; ; await new Promise((resolve) => setTimeout(resolve, 5))) {
      const found = this.screen.indexOf(text, this.#read);
      if (found >= 0) {
        this.#read = found + text.length;
        return;
      }
      if (Date.now() > limit) throw new Error(`"${text}" never appeared. The screen: ${JSON.stringify(this.screen)}`);
    }
  }

  type(text: string): void {
    this.input.write(text);
  }

  /** Waits for each text and types what stands behind it. */
  async talk(...exchanges: readonly (readonly [question: string, answer: string])[]): Promise<void> {
    for (const [question, answer] of exchanges) {
      await this.sees(question);
      this.type(answer);
    }
  }
}

const clearLine = "\u0015";
const controlC = "\u0003";
const controlD = "\u0004";

async function decide(changes: Partial<Confirmation>, ...exchanges: readonly (readonly [string, string])[]): Promise<Decision | undefined> {
  const terminal = new FakeTerminal();
  const decision = confirmInTerminal(terminal)(confirmationWith(changes), situationWith());
  await terminal.talk(...exchanges);
  return decision;
}

async function screenOf(changes: Partial<Confirmation>): Promise<string> {
  const terminal = new FakeTerminal();
  const decision = confirmInTerminal(terminal)(confirmationWith(changes), situationWith());
  await terminal.talk(["Run ", controlC]);
  await decision;
  return terminal.screen;
}

describe('seed 003, "requiresConfirmation"', () => {
  it("the command line prints a summary and waits for y or n", async () => {
    const script = new ScriptedModel([
      {
        toolCalls: [
          { name: "refund", arguments: { order: "A-17", euros: 250 } },
          { name: "refund", arguments: { order: "B-4", euros: 3 } },
        ],
      },
      "Done.",
    ]);

    @model(script)
    @usesTools([RefundTool])
    class RefundAgent extends Agent {}

    const terminal = new FakeTerminal();
    const agent = new RefundAgent();
    const answered = agent.generate("Refund both", { confirm: confirmInTerminal(terminal) });
    await terminal.talk(['argument order: "A-17"', ""], ["Run refund? [y]es", "y\r"]);
    await terminal.talk(['argument order: "B-4"', ""], ["Run refund? [y]es", "n\r"], ["Why not?", "never paid\r"]);
    expect((await answered).text).toBe("Done.");
    expect(runs).toEqual(["A-17 250"]);
    expect(agent.messages.at(-2)).toMatchObject({ errorType: "confirmation_denied", content: expect.stringContaining("never paid") });
  });
});

describe("what the terminal shows", () => {
  it("names the agent, the tool, what it does, what is at stake, and each argument", async () => {
    expect(await screenOf({ input: { order: "A-17", euros: 250, lines: [1] } })).toContain(
      [
        "This call needs your approval:",
        "  agent: refund_agent",
        "  tool: refund",
        "  what it does: Refunds an order. Use when the user wants ",
        "  | the money back.",
        "  category: write",
        "  consequence: high",
        '  argument order: "A-17"',
        "  argument euros: 250",
        "  argument lines: [",
        "  |   1",
        "  | ]",
      ].join("\n"),
    );
    expect(await screenOf({ input: {} })).toContain("  no arguments\n");
  });

  it("lets no escape sequence of an argument, a name or a description reach the terminal", async () => {
    const attack = "\u001b[2J\u001b]0;title\u0007\u009b1A\rdone\u202e";
    const screen = await screenOf({ agent: attack, tool: attack, description: attack, input: { [attack]: attack, text: `${attack}\n` } });
    for (const sequence of ["\u001b[2J", "\u001b]0", "\u0007", "\u009b", "\rdone", "\u202e"]) expect(screen).not.toContain(sequence);
    expect(screen).toContain("what it does: <U+001B>[2J<U+001B>]0;title<U+0007>");
  });

  it.each([
    ["a line break", "x\nRun harmless? [y]es, [n]o: "],
    ["a text as long as the line", `${"x".repeat(60)}Run harmless? [y]es, [n]o: `],
    ["wide characters", `${"東".repeat(29)}Run harmless? [y]es, [n]o: `],
  ])("lets no argument look like a line of its own, by %s", async (_what, text) => {
    const screen = await screenOf({ input: { text } });
    for (const line of screen.split("\n").filter((one) => one.includes("harmless"))) expect(line).toMatch(/^ {2}(\| |argument text: ")/);
  });
});

describe("what the person may answer", () => {
  it.each(["y", "Y", "yes", " YES "])("%j approves exactly what was shown", async (answer) => {
    const { id } = confirmationWith();
    expect(await decide({}, ["Run refund?", `${answer}\r`])).toEqual({ callId: "call_1", confirmationId: id, decision: "approve" });
  });

  it("n denies, with no reason if none is given", async () => {
    const decision = await decide({}, ["Run refund?", "n\r"], ["Why not?", "\r"]);
    expect(decision).toEqual({ callId: "call_1", confirmationId: confirmationWith().id, decision: "deny" });
  });

  it("asks again for anything else: Enter alone approves nothing", async () => {
    const decision = await decide({}, ["Run refund?", "\r"], ["Run refund?", "sure\r"], ["Run refund?", "n\r"], ["Why not?", "\r"]);
    expect(decision?.decision).toBe("deny");
  });

  it("e edits the arguments, which stand there as JSON", async () => {
    const decision = await decide(
      { input: { order: "A-17", euros: 250 } },
      ["Run refund?", "e\r"],
      ['{"order":"A-17","euros":250}', `${"\u007f".repeat(4)}25}\r`],
    );
    expect(decision).toMatchObject({ decision: "approve_edited", arguments: { order: "A-17", euros: 25 } });
  });

  it("says what is wrong with edited arguments, and keeps them for correction", async () => {
    const decision = await decide(
      { input: { euros: 250 } },
      ["Run refund?", "e\r"],
      ['{"euros":250}', "}\r"],
      ["This isn't JSON: ", ""],
      ['{"euros":250}}', `${clearLine}[1]\r`],
      ['The arguments are an object: {"name": value}.', `${clearLine}{"euros":1}\r`],
    );
    expect(decision).toMatchObject({ arguments: { euros: 1 } });
  });

  it("s shows what was too long for the screen, and asks again", async () => {
    const terminal = new FakeTerminal();
    const input = { note: `${"x".repeat(9_000)}the end`, euros: 250 };
    const decision = confirmInTerminal(terminal)(confirmationWith({ input }), situationWith());
    await terminal.talk(["characters not shown", ""], ["Run refund? [y]es, [n]o, [s]how everything", "s\r"]);
    await terminal.talk(["the end", ""], ["Run refund?", "y\r"]);
    expect((await decision)?.decision).toBe("approve");
  });

  it("an empty line of arguments goes back to the question", async () => {
    const decision = await decide({}, ["Run refund?", "e\r"], ['"euros":250}', `${clearLine}\r`], ["Run refund?", "y\r"]);
    expect(decision?.decision).toBe("approve");
  });

  it("keeps what can't be seen in arguments that are edited, written as JSON escapes", async () => {
    const input = { text: "a\u202e\u{e0041}b" };
    const decision = await decide({ input }, ["Run refund?", "e\r"], ['"a\\u202E\\uDB40\\uDC41b"}', "\r"]);
    expect(decision).toMatchObject({ decision: "approve_edited", arguments: input });
  });

  it("offers no editing if a secret was taken out of what is shown: it would be lost", async () => {
    const terminal = new FakeTerminal();
    const decision = confirmInTerminal(terminal)(confirmationWith({ input: { password: "[redacted]" } }), situationWith());
    await terminal.talk(["Run refund? [y]es, [n]o: ", "e\r"], ["Run refund?", "y\r"]);
    expect((await decision)?.decision).toBe("approve");
  });
});

describe("what decides nothing", () => {
  it.each([
    ["Ctrl-C at the question", [["Run refund?", controlC]]],
    ["Ctrl-D at the question", [["Run refund?", controlD]]],
    [
      "Ctrl-C at the reason",
      [
        ["Run refund?", "n\r"],
        ["Why not?", controlC],
      ],
    ],
    [
      "Ctrl-C while editing",
      [
        ["Run refund?", "e\r"],
        ["Arguments as JSON", controlC],
      ],
    ],
  ] as const)("%s", async (_what, exchanges) => {
    expect(await decide({}, ...exchanges)).toBeUndefined();
  });

  it("an input that ends", async () => {
    const terminal = new FakeTerminal();
    const decision = confirmInTerminal(terminal)(confirmationWith(), situationWith());
    await terminal.sees("Run refund?");
    terminal.input.end();
    expect(await decision).toBeUndefined();
    expect(terminal.screen).toContain("Not decided: refund doesn't run.");
  });

  it("a run that is aborted, also before its turn has come", async () => {
    const terminal = new FakeTerminal();
    const confirm = confirmInTerminal(terminal);
    const controller = new AbortController();
    const decisions = [1, 2].map((number) => confirm(confirmationWith({ tool: `tool_${number}` }), situationWith(controller.signal)));
    await terminal.sees("Run tool_1?");
    controller.abort();
    expect(await Promise.all(decisions)).toEqual([undefined, undefined]);
    expect(terminal.screen).not.toContain("tool_2");
  });

  it("what was typed before the question was there", async () => {
    const terminal = new FakeTerminal();
    terminal.type("y\ry\ry");
    const decision = confirmInTerminal(terminal)(confirmationWith(), situationWith());
    await terminal.sees("Run refund?");
    terminal.type("n\r");
    await terminal.talk(["Why not?", "\r"]);
    expect((await decision)?.decision).toBe("deny");
  });

  it.each([
    ["input", { input: { isTTY: false } }],
    ["output", { output: { isTTY: false } }],
  ])("a process whose %s is no terminal: the run pauses, and a warning says so", async (what, changes) => {
    const warned = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const terminal = new FakeTerminal();
    Object.assign(terminal[what as "input" | "output"], Object.values(changes)[0]);
    expect(await confirmInTerminal(terminal)(confirmationWith(), situationWith())).toBeUndefined();
    expect(terminal.screen).toBe("");
    expect(warned).toHaveBeenCalledWith(expect.stringContaining(`the ${what} isn't a terminal`), "ToolwrightWarning");
    warned.mockRestore();
  });
});

describe("several confirmations at one terminal", () => {
  it("are asked about one after another, also by several handlers", async () => {
    const terminal = new FakeTerminal();
    const decisions = ["first", "second", "third"].map((tool) =>
      confirmInTerminal(terminal)(confirmationWith({ tool, callId: tool }), situationWith()),
    );
    await terminal.sees("Run first?");
    expect(terminal.screen).not.toContain("second");
    terminal.type(controlC);
    await terminal.talk(["Run second?", "y\r"], ["Run third?", "n\r"], ["Why not?", "no\r"]);
    expect(await Promise.all(decisions)).toMatchObject([
      undefined,
      { callId: "second", decision: "approve" },
      { callId: "third", decision: "deny", reason: "no" },
    ]);
  });
});

const hasScript = (() => {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
})();
// Not every system can make a pseudo terminal from the command line.
(hasScript ? describe : describe.skip)("at a real pseudo terminal", () => {
  /** Runs a process whose standard streams are a terminal, and types `answers` at the questions. */
  async function atTerminal(...answers: readonly string[]): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "toolwright-terminal-"));
    const bundle = join(folder, "handlers.cjs");
    const entry = join(repositoryRoot, "src/confirmation/handlers/index.ts");
    execFileSync(join(repositoryRoot, "node_modules/.bin/esbuild"), [
      entry,
      "--bundle",
      "--platform=node",
      "--log-level=error",
      `--outfile=${bundle}`,
    ]);
    const program = `require(${JSON.stringify(bundle)}).confirmInTerminal()(${JSON.stringify(confirmationWith())}, {})
      .then((decision) => console.log("DECIDED " + JSON.stringify(decision ?? null)))`;
    const child = spawn("script", ["-qec", `'${process.execPath}' -e '${program}'`, "/dev/null"]);
    let [screen, read] = ["", 0];
    const waiting = [...answers];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      screen += text;
      const found = /Run refund\?.*: |Why not\?.*: /.exec(screen.slice(read));
      if (found === null) return;
      read += found.index + found[0].length;
      child.stdin.write(waiting.shift() ?? "");
    });
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    expect(code).toBe(0);
    return screen;
  }

  it("approves, and lets the process end", async () => {
    expect(await atTerminal("y\r")).toContain('"decision":"approve"}');
  }, 30_000);

  it("denies with a reason", async () => {
    expect(await atTerminal("n\r", "too much\r")).toContain('"decision":"deny","reason":"too much"}');
  }, 30_000);

  it("decides nothing at Ctrl-C, and leaves the process alive", async () => {
    expect(await atTerminal(controlC)).toContain("DECIDED null");
  }, 30_000);
});

describe("a call that waits for an answer", () => {
  const answered = async (answerSchema: JsonSchema, ...exchanges: readonly (readonly [question: string, answer: string])[]) => {
    const terminal = new FakeTerminal();
    const question: Question = {
      ...confirmationWith({ tool: "ask_user", input: { question: "Which?" } }),
      answeredBy: "client",
      answerSchema,
    };
    const decision = confirmInTerminal(terminal)(question, situationWith());
    await terminal.talk(...exchanges);
    return { decision: await decision, screen: terminal.screen };
  };

  it("gets the line that the person types", async () => {
    const { decision, screen } = await answered({ type: "string" }, ["Your answer", "The blue one\r"]);
    expect(decision).toMatchObject({ callId: "call_1", decision: "answer", value: "The blue one" });
    expect(screen).toContain("This call needs your answer:");
    expect(screen).toContain('argument question: "Which?"');
  });

  it("is asked again about an answer that doesn't fit", async () => {
    const schema = { type: "integer", maximum: 9 } as const;
    const { decision } = await answered(schema, ["Your answer (integer)", "many\r"], ["This doesn't fit", ""], ["Your answer", "7\r"]);
    expect(decision).toMatchObject({ decision: "answer", value: 7 });
  });

  it("waits on after an empty line, Ctrl-C, and if the answer can't be typed", async () => {
    expect((await answered({ type: "string" }, ["Your answer", "\r"])).decision).toBeUndefined();
    expect((await answered({ type: "boolean" }, ["Your answer", controlC])).decision).toBeUndefined();
    expect((await answered({ type: "object" }, ["can't be typed in one line", ""])).decision).toBeUndefined();
  });
});
