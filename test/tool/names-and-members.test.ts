import { ToolExecutor } from "../../src/execution/index.js";
import { validateToolArgs } from "../../src/schema/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { createTool, createToolDefinition, description, identifier, required, Tool, type ToolContext, tool } from "../../src/tool/index.js";
import { validateToolInput, validateToolInputAsync, renamedTool } from "../../src/tool/internal.js";

const named = (name: string, parameter = "city") =>
  createTool({
    name,
    description: "Says where.",
    inputSchema: { type: "object", properties: { [parameter]: { type: "string" } }, additionalProperties: false },
    execute: (input) => JSON.stringify(input),
  });

@identifier("place")
@description("Says where.")
class PlaceTool extends Tool {
  @required(String, "The city") city!: string;

  call(): string {
    return `the tool's own code in ${this.city}`;
  }
}

@identifier("outer")
@description("Asks where.")
class OuterTool extends Tool {
  async call(context: ToolContext): Promise<unknown> {
    return context.call(PlaceTool, inheriting({ call: () => "foreign code" }));
  }
}

/** An object with a city of its own that inherits more. */
const inheriting = (members: object): { city: string } => Object.assign(Object.create(members) as object, { city: "Paris" });

describe("a tool's name", () => {
  it.each([
    ["a mark that turns the direction of text", "pay\u202Eyap", /U\+202E/],
    ["a character without width", "pay\u200B", /U\+200B/],
    ["a Unicode tag", "pay\u{E0041}", /U\+E0041/],
    ["a star", "pay*", /stands for several tools/],
    ["a star alone", "*", /stands for several tools/],
  ])("is refused with %s, however the tool is made", (_, name, reason) => {
    expect(() => named(name)).toThrow(reason);
    expect(() => createTool(name, "Says where.", { type: "object" }, () => "")).toThrow(reason);
    expect(() =>
      createToolDefinition({
        name,
        description: "Says where.",
        schema: { type: "object" },
        category: "read",
        consequenceLevel: "low",
        requiresConfirmation: false,
        execute: () => ({ tool: name, fetchedAt: "", data: 1 }),
      }),
    ).toThrow(reason);
    expect(() => renamedTool(PlaceTool, name)).toThrow(reason);
    expect(() => {
      @identifier(name)
      class Named extends PlaceTool {}
      return Named.definition;
    }).toThrow(reason);
    expect(() => {
      @tool({ identifier: name, description: "Says where." })
      class Named extends PlaceTool {}
      return Named.definition;
    }).toThrow(reason);
  });

  it("may have letters of any language", () => {
    expect(named("größe/städte").definition.name).toBe("größe/städte");
  });

  it("of a parameter is refused with hidden characters as well", () => {
    expect(() => named("place", "ci\u202Ety")).toThrow('place: the parameter "ci<U+202E>ty" holds characters that people don\'t see');
  });
});

describe("arguments given as an object", () => {
  const executor = new ToolExecutor({ tools: [PlaceTool, OuterTool, named("closed")] });
  const foreign = inheriting({ call: () => "foreign code" });

  it("are refused if they inherit members, through every door", async () => {
    const reason = /inherit the member "call", but only members of their own count/;
    await expect(executor.run("place", foreign)).rejects.toThrow(reason);
    await expect(executor.run("closed", foreign)).rejects.toThrow(reason);
    await expect(invokeTool(PlaceTool, foreign)).rejects.toThrow(reason);
    await expect(executor.run("outer", {})).rejects.toThrow(reason);
  });

  it("are refused if an object inside inherits members", async () => {
    const Nested = createTool({
      name: "nested",
      description: "Says where.",
      inputSchema: { type: "object", properties: { place: { type: "object" } } },
      execute: () => "",
    });
    await expect(new ToolExecutor({ tools: [Nested] }).run("nested", { place: foreign })).rejects.toThrow(/inherit the member "call"/);
  });

  it("may be instances of a class, whose methods never replace the tool's code", async () => {
    class Place {
      city = "Paris";
      call(): string {
        return "foreign code";
      }
    }
    expect(await executor.run("place", new Place() as unknown as Record<string, unknown>)).toBe("the tool's own code in Paris");
  });

  it("may have no prototype, and symbols, which are ignored", async () => {
    const bare = Object.assign(Object.create(null) as object, { city: "Paris", [Symbol("call")]: 1 });
    expect(await executor.run("place", bare as Record<string, unknown>)).toBe("the tool's own code in Paris");
  });

  it("are refused with a call or a __proto__ of their own", async () => {
    await expect(executor.run("place", { city: "Paris", call: () => "foreign code" })).rejects.toThrow(/call is unknown/);
    await expect(executor.run("place", JSON.parse('{"city":"Paris","__proto__":{"call":1}}') as Record<string, unknown>)).rejects.toThrow(
      /the key "__proto__", which is not allowed/,
    );
  });

  it("are refused by validation alone as well, at every depth", async () => {
    const inner = createTool("nested", "Says where.", { type: "object", properties: { place: { type: "object" } } }, () => "");
    const reason = /^arguments inherit the member "call", but only members of their own count/;
    expect(validateToolInput(PlaceTool, foreign)).toEqual({ ok: false, error: expect.stringMatching(reason) });
    expect(await validateToolInputAsync(PlaceTool, foreign)).toEqual({ ok: false, error: expect.stringMatching(reason) });
    expect(validateToolInput(inner, { place: foreign })).toEqual({ ok: false, error: expect.stringMatching(reason) });
    const schema = { type: "object", properties: { city: { type: "string" } }, additionalProperties: false };
    expect(validateToolArgs(schema, foreign)).toEqual({ ok: false, error: expect.stringMatching(reason) });
  });

  it("count by their own members alone if a schema is asked", () => {
    const inherited = Object.create({ city: "Paris" }) as object;
    expect(validateToolArgs({ type: "object", required: ["city"] }, inherited).ok).toBe(false);
    expect(validateToolInput(PlaceTool, inherited).ok).toBe(false);
  });
});
