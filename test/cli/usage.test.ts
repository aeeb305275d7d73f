import { commandTable } from "../../src/cli/command-table.js";
import { toolwright, toolwrightJson } from "./command-line.js";

describe("help", () => {
  it("lists the commands", async () => {
    const { exitCode, output } = await toolwright(["--help"]);
    expect(exitCode).toBe(0);
    for (const { usage } of commandTable) expect(output).toContain(usage.split(" ")[0]);
  });

  it.each(commandTable.map(({ usage }) => usage.split(" ")[0] as string))("of %s has an example", async (name) => {
    const { exitCode, output } = await toolwright([name, "--help"]);
    expect(exitCode).toBe(0);
    expect(output).toMatch(new RegExp(`Examples?:\n {2}toolwright ${name}`));
  });

  it("is an error if no command is given", async () => {
    const { exitCode, output, errors } = await toolwright([]);
    expect([exitCode, output]).toEqual([2, ""]);
    expect(errors).toContain("Usage: toolwright");
  });

  it("prints the version", async () => {
    expect(await toolwright(["--version"])).toEqual({ exitCode: 0, output: "1.2.3\n", errors: "" });
  });
});

describe("wrong use", () => {
  it.each([
    [["lst"], "(Did you mean list?)"],
    [["list", "--jsn"], "(Did you mean --json?)"],
    [["show"], "missing required argument 'name'"],
    [["show", "one", "two"], "too many arguments"],
  ])("of %j ends with 2 and says what is meant", async (given, message) => {
    const { exitCode, errors } = await toolwright(given);
    expect(exitCode).toBe(2);
    expect(errors).toContain(message);
    expect(errors).toMatch(/See: toolwright .*--help/);
  });

  it("is reported as JSON if JSON is asked for", async () => {
    const { exitCode, json } = await toolwrightJson(["show", "nothing", "-m", "shop.ts", "--json"]);
    expect(exitCode).toBe(2);
    expect(json).toEqual({ error: { message: expect.stringContaining('no tool or agent "nothing"'), exitCode: 2 } });
  });
});

describe("colours", () => {
  const errorsOf = async (env: Readonly<Record<string, string>>, isTerminal: boolean) =>
    (await toolwright(["show", "nothing", "-m", "shop.ts"], { env, isTerminal })).errors;

  it("are for terminals, unless NO_COLOR is set", async () => {
    expect(await errorsOf({}, true)).toContain("\u001b[31m");
    expect(await errorsOf({ NO_COLOR: "1" }, true)).not.toContain("\u001b");
    expect(await errorsOf({}, false)).not.toContain("\u001b");
  });
});
