import { toolwright, toolwrightJson } from "./command-line.js";

describe("list", () => {
  it("prints the tools and agents of a module", async () => {
    const { exitCode, output } = await toolwright(["list", "shop.ts"]);
    expect(exitCode).toBe(0);
    expect(output).toBe(
      [
        "Tools",
        "  get_weather  Gets the weather of a city. Use when the user asks about the weather.",
        "  refund       Refunds an order. Use when the customer wants the money back.",
        "",
        "Agents",
        "  shop_agent  A clerk of the shop. (2 tools)",
        "",
      ].join("\n"),
    );
  });

  it("prints the same as JSON", async () => {
    const { json } = await toolwrightJson(["list", "--module", "shop.ts", "--json"]);
    expect(json).toEqual({
      tools: [
        {
          name: "get_weather",
          description: "Gets the weather of a city. Use when the user asks about the weather.",
          module: "shop.ts",
          category: "read",
          requiresConfirmation: false,
          deferred: false,
        },
        expect.objectContaining({ name: "refund", category: "side_effect", requiresConfirmation: true }),
      ],
      agents: [
        {
          name: "shop_agent",
          description: "A clerk of the shop.",
          module: "shop.ts",
          model: "embedded/keyword",
          tools: ["get_weather", "refund"],
        },
      ],
      problems: [],
    });
  });

  it("finds tools in toolboxes, registries and lists of a default export", async () => {
    const { json } = await toolwrightJson(["list", "collected.ts", "--json"]);
    expect(json.tools.map(({ name, from }: { name: string; from?: string }) => [name, from])).toEqual([
      ["apple", "fruits"],
      ["pear", "fruits"],
      ["billing/invoice", "registry"],
      ["bread", undefined],
    ]);
  });

  it("lists valid tools beside invalid ones, and fails", async () => {
    const { exitCode, output, errors } = await toolwright(["list", "invalid.ts"]);
    expect(exitCode).toBe(1);
    expect(output).toContain("shout_tool");
    expect(errors).toMatch(/Invalid: invalid\.ts: NamelessTool: .*description/);
  });

  it("says that a definition is invalid if nothing has the name that is asked for", async () => {
    const { errors } = await toolwright(["call", "nameless", "--module", "invalid.ts"]);
    expect(errors).toMatch(/There is no tool "nameless".* A definition is invalid: NamelessTool: .*description/);
  });

  it("leaves out an export whose getter throws, as a package may that isn't installed whole", async () => {
    const { exitCode, output } = await toolwright(["list", "lazy.ts"]);
    expect([exitCode, output]).toEqual([0, expect.stringContaining("ping")]);
  });

  it("doesn't take a base class for an invalid tool", async () => {
    const { json } = await toolwrightJson(["list", "invalid.ts", "--json"]);
    expect(json.problems.map(({ name }: { name: string }) => name)).toEqual(["NamelessTool"]);
  });

  it("reads the modules from package.json if none is named", async () => {
    const { exitCode, errors } = await toolwright(["list"]);
    expect(exitCode).toBe(2);
    expect(errors).toContain('"toolwright": { "modules": ["src/tools.ts"] }');
  });

  it.each([
    ["nothing.ts", 2, "nothing.ts exports answer, add, of which none is a tool or an agent."],
    ["throws.ts", 1, "throws.ts can't be loaded: Error: No DATABASE_URL is set."],
    ["shopp.ts", 2, "There is no file shopp.ts"],
    ["shopp.ts", 2, "Did you mean shop.ts?"],
  ])("explains what is wrong with %s", async (file, exitCode, message) => {
    const ran = await toolwright(["list", file]);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.errors).toContain(message);
  });
});

describe("show", () => {
  it("prints the description, the parameters and the policy of a tool", async () => {
    const { output } = await toolwright(["show", "get_weather", "-m", "shop.ts"]);
    expect(output).toContain("Gets the weather of a city.");
    expect(output).toMatch(/city +text +required +The name of the city/);
    expect(output).toMatch(/unit +celsius\|fahrenheit +The unit/);
    expect(output).toMatch(/approval +not required/);
  });

  it("prints the schema of a tool as JSON", async () => {
    const { json } = await toolwrightJson(["show", "WeatherTool", "-m", "shop.ts", "--json"]);
    expect(json).toMatchObject({ kind: "tool", name: "get_weather", parametersSchema: { required: ["city"] }, timeout: 10_000 });
  });

  it("prints the model, the tools and the instructions of an agent", async () => {
    const { output } = await toolwright(["show", "shop_agent", "-m", "shop.ts"]);
    expect(output).toMatch(/model +embedded\/keyword\n +tools +get_weather, refund/);
    expect(output).toContain("You help in a shop.");
  });

  it("suggests the nearest name", async () => {
    const { exitCode, errors } = await toolwright(["show", "get_wether", "-m", "shop.ts"]);
    expect(exitCode).toBe(2);
    expect(errors).toContain('There is no tool or agent "get_wether". Did you mean "get_weather"?');
  });
});

describe("schema", () => {
  it("prints the tools' schemas", async () => {
    const { json } = await toolwrightJson(["schema", "refund", "-m", "shop.ts"]);
    expect(json).toEqual([
      expect.objectContaining({
        name: "refund",
        parametersSchema: expect.objectContaining({ type: "object", properties: { order: expect.anything() }, required: ["order"] }),
      }),
    ]);
  });

  it("prints the tools as a provider takes them", async () => {
    const { json } = await toolwrightJson(["schema", "refund", "-m", "shop.ts", "--provider", "openai"]);
    expect(json).toEqual([{ type: "function", function: expect.objectContaining({ name: "refund" }) }]);
  });

  it("names the providers that there are", async () => {
    const { exitCode, errors } = await toolwright(["schema", "-m", "shop.ts", "--provider", "gemeni"]);
    expect(exitCode).toBe(2);
    expect(errors).toMatch(/Allowed choices are openai, .*gemini/);
  });
});

describe("check", () => {
  it("warns that no tool is known if a function chooses them and no module exports one", async () => {
    const { exitCode, output } = await toolwright(["check", "choosing.ts"]);
    expect(exitCode).toBe(0);
    expect(output).toContain('A function chooses the tools of the agent "choosing_agent", so none of them is known and none is checked.');
    expect(output).toContain("Name the modules that export the tools too.");
    expect(output).toContain("0 tools: 0 errors, 1 warning.");
    expect((await toolwright(["check", "choosing.ts", "--strict"])).exitCode).toBe(1);
    expect((await toolwright(["check", "choosing.ts", "shop.ts", "--strict"])).exitCode).toBe(0);
  });

  it("succeeds if tools work with all providers, and prints advice", async () => {
    const { exitCode, output } = await toolwright(["check", "collected.ts"]);
    expect(output).toMatch(/warning .*not-vague|says-|not-like/);
    expect(exitCode).toBe(0);
  });

  it("fails on advice with --strict", async () => {
    expect((await toolwright(["check", "collected.ts", "--strict"])).exitCode).toBe(1);
    expect((await toolwright(["check", "shop.ts", "--strict"])).exitCode).toBe(0);
  });

  it("fails on definitions that don't work", async () => {
    const { exitCode, json } = await toolwrightJson(["check", "invalid.ts", "--json"]);
    expect(exitCode).toBe(1);
    expect(json.ok).toBe(false);
    const errors = json.findings.filter(({ severity }: { severity: string }) => severity === "error");
    expect(errors.map(({ tool, rule }: { tool: string; rule: string }) => [tool, rule])).toEqual([
      ["NamelessTool", "is-valid"],
      ["twin", "has-one-name"],
    ]);
  });
});
