import "reflect-metadata";
import { anyOf, Integer } from "../../src/schema/index.js";
import {
  createTool,
  createToolDefinition,
  description,
  optional,
  required,
  access,
  Tool,
  type ToolClass,
  type ToolContext,
} from "../../src/tool/index.js";
import { planOf } from "../../src/tool/internal.js";

const context = {} as ToolContext;

async function call(toolClass: ToolClass, value: unknown): Promise<unknown> {
  const plan = planOf(toolClass);
  const reading = await plan.readInput(value, { owned: false, repair: false });
  if (!reading.ok) return reading.error.map(({ path, message }) => `${path} ${message}`);
  return plan.run(new toolClass(), reading.value, context);
}

/** A tool with one parameter `value`, written as an author without a type check might. */
function toolWith(...written: readonly unknown[]): ToolClass {
  class OddTool extends Tool {
    override call() {
      return (this as unknown as { value: unknown }).value;
    }
  }
  description("d")(OddTool);
  (optional as (...parameters: readonly unknown[]) => (target: object, key: PropertyKey) => void)(...written)(OddTool.prototype, "value");
  return OddTool;
}

describe("defaults and examples", () => {
  it("dates and instances of classes are written as JSON, and arrive as what they were", async () => {
    class Span {
      @required(Date) from!: Date;
      @optional(Integer, { default: 3 }) days!: number;
    }
    const span = Object.assign(new Span(), { from: new Date(5) });
    @description("d")
    class SpanTool extends Tool {
      @optional(Span, { default: span }) span!: Span;
      @optional(Date, { default: new Date(5), examples: [new Date(0)] }) at!: Date;
      override call() {
        return [this.span instanceof Span, this.span.from, this.span.days, this.at];
      }
    }
    expect(SpanTool.parametersSchema.properties).toMatchObject({
      span: { default: { from: "1970-01-01T00:00:00.005Z" } },
      at: { default: "1970-01-01T00:00:00.005Z", examples: ["1970-01-01T00:00:00.000Z"] },
    });
    expect(await call(SpanTool, {})).toEqual([true, new Date(5), 3, new Date(5)]);
  });

  it("the author's own objects are neither frozen nor handed to a tool", async () => {
    const options = { default: { list: [1] }, examples: [{ list: [2] }] };
    @description("d")
    class ListTool extends Tool {
      @optional(Object, options) value!: Record<string, unknown>;
      override call() {
        return (this.value.list as number[]).push(0);
      }
    }
    expect([await call(ListTool, {}), await call(ListTool, {})]).toEqual([2, 2]);
    options.default.list.push(9);
    expect(await call(ListTool, {})).toBe(2);
  });

  it("a recursive class may have defaults, of itself too", async () => {
    class Folder {
      @required(String) name!: string;
      @optional(() => [Folder], { default: [] }) folders!: Folder[];
      @optional(Date, { default: new Date(9) }) at!: Date;
    }
    @description("d")
    class FolderTool extends Tool {
      @required(Folder) root!: Folder;
      override call() {
        return this.root.folders.map((folder) => [folder instanceof Folder, folder.folders, folder.at]);
      }
    }
    expect(await call(FolderTool, { root: { name: "a", folders: [{ name: "b" }] } })).toEqual([[true, [], new Date(9)]]);
  });

  it("one that breaks its schema is refused in a recursive class too", () => {
    class Folder {
      @required(String) name!: string;
      @optional(() => [Folder], { default: [{}] }) folders!: Folder[];
    }
    @description("d")
    class FolderTool extends Tool {
      @required(Folder) root!: Folder;
      override call() {}
    }
    expect(() => FolderTool.definition).toThrow(/^Folder\.folders: the default \[\{\}\] breaks its own schema: \[0\]\.name is required/);
  });

  it.each([
    [{ default: 5n }, "default holds what JSON can't: bigint 5. Write it as the model would."],
    [{ default: Number.NaN }, "default holds what JSON can't: number NaN."],
    [{ examples: [5n] }, "examples holds what JSON can't: object 5."],
  ])("%p is refused", (options, message) => {
    expect(() => toolWith(Number, options).definition).toThrow(message);
  });
});

describe("mistakes that were found at the first call only", () => {
  it.each([
    [String, { minLength: -1 }, "minLength must be 0 or a whole number above it, got -1."],
    [[String], { maxItems: 1.5 }, "maxItems must be 0 or a whole number above it, got 1.5."],
    [Number, { minimum: Number.POSITIVE_INFINITY }, "minimum must be finite, got Infinity."],
    [Number, { multipleOf: 0 }, "multipleOf must be above 0, got 0."],
  ])("%p with %p", (type, options, message) => {
    expect(() => toolWith(type, options).definition).toThrow(`OddTool.value: ${message}`);
  });

  it.each([
    [Map, "JSON has no Map. Use mapOf(String), or of any other type."],
    [Set, "JSON has no Set. Use [String], or a list of any other type, with uniqueItems: true."],
    [BigInt, "JSON has no BigInt. Use Integer, or String for more than 15 digits."],
    [(anyOf as () => unknown)(), "anyOf() names no types."],
  ])("a type that JSON hasn't: %p", (type, message) => {
    expect(() => toolWith(type).definition).toThrow(message);
  });

  it("a function that gives no result of the universal shape says so", async () => {
    const tool = createToolDefinition({
      name: "silent",
      description: "d",
      schema: { type: "object" },
      category: "read",
      consequenceLevel: "low",
      requiresConfirmation: false,
      execute: () => undefined as never,
    });
    await expect(call(tool, {})).rejects.toThrow('Tool "silent": execute must return a ToolResult');
  });

  it("createTool without a schema says what it wants", () => {
    const config = { name: "bare", description: "d", execute: () => 1 } as never;
    expect(() => createTool(config)).toThrow(/^createTool "bare" inputSchema: the schema at # is undefined, but must be an object/);
  });
});

describe("odd classes", () => {
  it("frozen ones are tools like any other, with one definition", async () => {
    @description("d")
    class BaseTool extends Tool {
      @required(String) city!: string;
      override call() {
        return this.city;
      }
    }
    class FrozenTool extends BaseTool {}
    Object.freeze(BaseTool);
    Object.freeze(FrozenTool);
    expect([BaseTool.identifier, FrozenTool.identifier]).toEqual(["base_tool", "frozen_tool"]);
    expect(FrozenTool.definition).toBe(FrozenTool.definition);
    expect(await call(FrozenTool, { city: "Paris" })).toBe("Paris");
  });

  it.each(["A/B", "A~B", "A%20B", "Größe", "A$B", ""])("a recursive class may be called %p", async (name) => {
    class Node {
      @required(String) value!: string;
      @optional(() => Node) next?: Node;
    }
    Object.defineProperty(Node, "name", { value: name });
    const tool = toolWith(Node);
    expect(await call(tool, { value: { value: "a", next: { value: "b" } } })).toMatchObject({ next: { value: "b" } });
  });

  it("requirements are copied: who changes the author's list changes no permission", () => {
    const scopes = ["admin"];
    @description("d")
    @access({ scopes })
    class AdminTool extends Tool {
      override call() {}
    }
    const { definition } = AdminTool;
    scopes.length = 0;
    expect(definition.access).toEqual({ scopes: ["admin"] });
    expect(Object.isFrozen(definition.access?.scopes)).toBe(true);
  });
});

describe("the context of a call", () => {
  it("arrives behind a parameter with a default, even if the compiler emits no types", async () => {
    class UnitsTool extends Tool {
      // As compilers that emit no types leave it: `length` doesn't count from the first default on.
      override call(units = "celsius", given?: ToolContext) {
        return [units, given === context];
      }
    }
    description("d")(UnitsTool);
    (optional as (...parameters: readonly unknown[]) => (target: object, key: string, index: number) => void)("units", String)(
      UnitsTool.prototype,
      "call",
      0,
    );
    expect(await call(UnitsTool, {})).toEqual(["celsius", true]);
    expect(await call(UnitsTool, { units: "kelvin" })).toEqual(["kelvin", true]);
  });
});
