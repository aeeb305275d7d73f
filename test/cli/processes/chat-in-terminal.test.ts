import { hasTerminal, keys, runInTerminal } from "../../support/terminal.cjs";
import { compileProgram, modules, program } from "./program.js";

beforeAll(compileProgram);

/** Talks to an agent of modules/desk.ts in a terminal. */
const chat = (agent: string, ...turns: (readonly [string, string])[]) =>
  runInTerminal(`"${process.execPath}" "${program}" chat ${agent} --module desk.js`, { cwd: modules, turns });

const { enter, controlC, controlD } = keys;

// Windows and macOS have no `script` of util-linux.
(hasTerminal ? describe : describe.skip)("chat in a terminal", () => {
  it("answers prompt after prompt, until Ctrl-D ends it", async () => {
    const { exitCode, text } = await chat(
      "desk",
      ["You: ", `Greet "Ada"${enter}`],
      ["Good day, Ada.\r\n", ""],
      ["You: ", `Greet "Grace"${enter}`],
      ["Good day, Grace.\r\n", ""],
      ["You: ", controlD],
    );
    expect(text).toContain('> greet {"person":"Ada"}\n');
    expect(exitCode).toBe(0);
  });

  it("runs a call that the person approves", async () => {
    const { exitCode, text } = await chat(
      "desk",
      ["You: ", `Refund order "A-17"${enter}`],
      ["Run refund? [y]es, [n]o, [e]dit the arguments: ", `y${enter}`],
      ["You: ", controlD],
    );
    expect(text).toContain("This call needs your approval:");
    expect(text).toContain("Refunded A-17.\n");
    expect(exitCode).toBe(0);
  });

  it("runs no call that the person denies, and the model reads the reason", async () => {
    const { exitCode, text } = await chat(
      "desk",
      ["You: ", `Refund order "A-17"${enter}`],
      ["Run refund? ", `n${enter}`],
      ["Why not?", `Too late${enter}`],
      ["You: ", controlD],
    );
    expect(text).not.toContain("Refunded");
    expect(text).toContain("refund failed: ");
    expect(text).toMatch(/Too late[\s\S]*Too late/);
    expect(exitCode).toBe(0);
  });

  it("passes an answer of the person on to the model", async () => {
    const { text } = await chat("painter", ["You: ", `Paint it${enter}`], ["Your answer, ", `blue${enter}`], ["You: ", controlD]);
    expect(text).toContain("This call needs your answer:");
    expect(text).toMatch(/Painted: .*blue/);
  });

  it("streams, stops in the middle of an answer on Ctrl-C, and goes on with the next prompt", async () => {
    const { exitCode, text } = await chat(
      "teller",
      ["You: ", `Tell a story${enter}`],
      ["Once upon a time", controlC],
      ["No answer: aborted", ""],
      ["You: ", `Once more${enter}`],
      ["there was an end.", ""],
      ["You: ", controlD],
    );
    expect(text.match(/there was an end/g)).toHaveLength(1);
    expect(exitCode).toBe(0);
  });

  it("ends with 130 if Ctrl-C is pressed at the prompt", async () => {
    expect(await chat("desk", ["You: ", controlC])).toMatchObject({ exitCode: 130, text: expect.stringContaining("Interrupted.") });
  });

  it("leaves a call undecided on Ctrl-C, and asks for the next prompt", async () => {
    const { exitCode, text } = await chat(
      "desk",
      ["You: ", `Refund order "A-17"${enter}`],
      ["Run refund? ", controlC],
      ["Not decided: refund doesn't run.", ""],
      ["You: ", `Greet "Ada"${enter}`],
      ["Good day, Ada.", ""],
      ["You: ", controlD],
    );
    expect(text).not.toContain("Refunded");
    expect(exitCode).toBe(0);
  });
});
