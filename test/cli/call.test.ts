import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolwright, toolwrightJson } from "./command-line.js";

const shop = ["-m", "shop.ts"];

describe("call", () => {
  it("takes the parameters of the tool as options", async () => {
    expect(await toolwright(["call", "get_weather", ...shop, "--city", "Paris"])).toEqual({
      exitCode: 0,
      output: "Sunny in Paris, in celsius.\n",
      errors: "",
    });
  });

  it("types options by the schema", async () => {
    const { output } = await toolwright([
      "call",
      "get_weather",
      ...shop,
      "--city",
      "75",
      "--days-ahead",
      "2",
      "--details",
      "--without",
      "rain",
      "--without",
      "wind",
    ]);
    expect(JSON.parse(output)).toEqual({ city: "75", unit: "celsius", daysAhead: 2, details: true, without: ["rain", "wind"] });
  });

  it("takes the names of the schema too, and --no- for a boolean", async () => {
    const { output } = await toolwright(["call", "get_weather", ...shop, "--city", "Rome", "--daysAhead", "3", "--no-details"]);
    expect(JSON.parse(output)).toMatchObject({ daysAhead: 3, details: false });
  });

  it("takes the arguments as JSON and prints JSON", async () => {
    const { json } = await toolwrightJson(["call", "get_weather", ...shop, "--json", '{"city":"Paris"}']);
    expect(json).toEqual({ tool: "get_weather", data: "Sunny in Paris, in celsius." });
  });

  it("prints JSON for arguments that are options", async () => {
    const { json } = await toolwrightJson(["call", "get_weather", ...shop, "--json", "--city", "Paris"]);
    expect(json.data).toBe("Sunny in Paris, in celsius.");
  });

  it("shows the options of a tool", async () => {
    const { exitCode, output } = await toolwright(["call", "get_weather", ...shop, "--help"]);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/--city <text> +required: The name of the city/);
    expect(output).toMatch(/--days-ahead <integer> +How many days ahead/);
  });

  it("says which argument is wrong", async () => {
    const { exitCode, errors } = await toolwright(["call", "get_weather", ...shop, "--city", "Paris", "--unit", "kelvin"]);
    expect(exitCode).toBe(2);
    expect(errors).toContain("unit");
    expect(errors).toContain("See: toolwright call get_weather --help");
  });

  it("suggests the nearest option", async () => {
    const { exitCode, errors } = await toolwright(["call", "get_weather", ...shop, "--citi", "Paris"]);
    expect(exitCode).toBe(2);
    expect(errors).toContain("--city");
  });

  it("rejects arguments that aren't JSON", async () => {
    const { exitCode, errors } = await toolwright(["call", "get_weather", ...shop, "--json", "{city: Paris}"]);
    expect(exitCode).toBe(2);
    expect(errors).toContain("--json: the arguments aren't JSON");
  });
});

describe("a tool that needs approval", () => {
  const refund = ["call", "refund", ...shop, "--order", "A-17"];

  it("doesn't run without a terminal, and ends with 3", async () => {
    const { exitCode, output, errors } = await toolwright(refund);
    expect([exitCode, output]).toEqual([3, ""]);
    expect(errors).toContain("Pass --yes to approve it");
  });

  it("runs with --yes", async () => {
    expect((await toolwright([...refund, "--yes"])).output).toBe("Refunded A-17 for nobody.\n");
  });

  it("runs when the person approves it", async () => {
    const { exitCode, output, errors } = await toolwright(refund, { isTerminal: true, input: "y" });
    expect(errors).toContain('argument order: "A-17"');
    expect([exitCode, output]).toEqual([0, "Refunded A-17 for nobody.\n"]);
  });

  it("runs with the arguments that the person edited", async () => {
    // The line holds the arguments already: Ctrl-U empties it.
    const { output } = await toolwright(refund, { isTerminal: true, input: 'e\n\u0015{"order":"B-1"}' });
    expect(output).toBe("Refunded B-1 for nobody.\n");
  });

  it("fails when the person denies it", async () => {
    const { exitCode, errors } = await toolwright(refund, { isTerminal: true, input: "n\nToo late" });
    expect(exitCode).toBe(1);
    expect(errors).toContain('"refund" was denied: Too late');
  });
});

describe("--context", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-context-"));
  const call = (name: string) => toolwright(["call", "refund", ...shop, "--order", "A-17", "--yes", "--context", join(folder, name)]);

  it("gives the tools a context", async () => {
    writeFileSync(join(folder, "user.json"), '{"userId":"42"}');
    expect((await call("user.json")).output).toBe("Refunded A-17 for 42.\n");
  });

  it.each([
    ["no JSON", "broken.json", "{userId: 42}", "can't be read"],
    ["no object", "list.json", "[1]", "must hold a JSON object"],
  ])("rejects a file that is %s", async (_, name, text, message) => {
    writeFileSync(join(folder, name), text);
    const { exitCode, errors } = await call(name);
    expect(exitCode).toBe(2);
    expect(errors).toContain(message);
  });

  it("rejects a file that isn't there", async () => {
    expect((await call("absent.json")).exitCode).toBe(2);
  });
});
