import { until } from "../../support/until.js";
import { compileProgram, ran, Running } from "./program.js";

beforeAll(compileProgram);

describe("a module", () => {
  it.each([
    ["throws.js", 1, "throws.js can't be loaded: Error: No DATABASE_URL is set."],
    ["throws-object.js", 1, "throws-object.js can't be loaded: it threw { code: 7 }."],
    ["nothing.js", 2, "nothing.js exports answer, of which none is a tool or an agent."],
    ["exits.js", 1, "Error: a module ended the process (process.exit) before the command was done."],
    ["in-vain.js", 1, "in-vain.js doesn't end loading: an await in its top-level code waits for something that never comes."],
  ])("%s fails the command with %i and the reason", async (module, exitCode, message) => {
    const { errors, ...result } = await ran(["list", module]);
    expect(result).toEqual({ exitCode, output: "" });
    expect(errors).toContain(message);
  });

  it("that listens on a port and starts timers doesn't keep the command", async () => {
    expect(await ran(["list", "listens.js"])).toMatchObject({ exitCode: 0, output: expect.stringContaining("ping") });
  });

  it("prints to standard error, whatever it writes to", async () => {
    const { output, errors } = await ran(["list", "desk.js", "--json"]);
    expect(JSON.parse(output)).toMatchObject({ tools: [{ name: "ask_colour" }, { name: "greet" }, { name: "refund" }] });
    expect(errors).toBe("The desk opens.\n");
  });

  it.each(["never-ends.js", "loops.js"])("that doesn't end loading is stopped by Ctrl-C: %s", async (module) => {
    const running = new Running(["list", module]);
    await until(() => running.errors.includes("It begins."));
    running.process.kill("SIGINT");
    await running.exited;
    expect(running.process.signalCode).toBe("SIGINT");
  });

  it("that throws outside of a call ends the command with the error", async () => {
    const { exitCode, errors } = await ran(["call", "wait", "--module", "misbehaves.js"]);
    expect(exitCode).toBe(1);
    expect(errors).toContain("Error: code of a module threw outside of any call: Error: The connection is lost.");
  });

  it("whose tool waits for what never comes ends the command, and says so", async () => {
    const { exitCode, errors } = await ran(["call", "hang", "--module", "misbehaves.js"]);
    expect(exitCode).toBe(1);
    expect(errors).toBe("Error: code of a module waits for something that never comes.\n");
  });
});
