import { z } from "zod";
import * as mini from "zod/mini";
import { ToolExecutor } from "../../src/execution/index.js";
import type { StandardSchema } from "../../src/schema/index.js";
import { createTool, description, optional, required, returns, Tool, ToolDefinitionError, type ToolClass } from "../../src/tool/index.js";

/** Tools as plain JavaScript may write them. */
const AnyTool = Tool as unknown as new () => object;

const tool = (inputSchema: StandardSchema, outputSchema?: StandardSchema): ToolClass =>
  createTool({ name: "pay", description: "Pays.", inputSchema, ...(outputSchema && { outputSchema }), execute: () => 1 });

const inside = (member: z.ZodType): StandardSchema => z.object({ order: z.object({ items: z.array(z.object({ paidAt: member })) }) });

const definitionOf = (make: object): unknown => (make as ToolClass).definition;

describe("a zod type that JSON Schema has no form for", () => {
  it.each([
    ["z.date()", z.date(), "write z.iso.datetime().transform((text) => new Date(text))"],
    ["z.bigint()", z.bigint().optional(), "write z.int(), or z.string() for more than 15 digits"],
    ["z.map()", z.map(z.string(), z.number()), "write z.record(z.string(), ...)"],
    ["z.set()", z.set(z.string()), "write z.array(...)"],
    ["z.symbol()", z.symbol(), "write z.string()"],
    ["z.undefined()", z.undefined(), "write the type that it has otherwise with .optional()"],
    ["z.nan()", z.nan(), "write z.number()"],
    ["z.function()", z.function() as never, "write a type that JSON has, such as z.string() or z.object({ ... })"],
    ["z.custom() or z.instanceof()", z.instanceof(URL), "write a type that JSON has, such as z.string() or z.object({ ... })"],
    ["z.custom() or z.instanceof()", z.custom<string>(), "write a type that JSON has, such as z.string() or z.object({ ... })"],
    ["a transform", z.transform((value) => value), "write the type that arrives before it: z.string().transform(...)"],
    ["a z.literal() of undefined or a bigint", z.literal(3n), "write a text, a number, a boolean or null"],
  ])("%s is named with its place and what to write", (written, member, fix) => {
    expect(() => tool(inside(member))).toThrow(
      `createTool "pay" inputSchema: JSON Schema has no form for order.items[].paidAt, ${written} (${fix}). ` +
        "Or write JSON Schema in its place (in a decorator: { schema: { ... } }).",
    );
  });

  it("is named wherever it stands, and several in one message", () => {
    const type = z.object({
      rates: z.record(z.string(), z.tuple([z.string(), z.bigint()])),
      either: z.union([z.string(), z.set(z.string())]),
      both: z.intersection(z.object({ a: z.string() }), z.object({ when: z.date() })),
    });
    expect(() => tool(type)).toThrow(
      /no form for rates\{\}\[1\], z\.bigint\(\) \(.*\), either, z\.set\(\) \(.*\), both\.when, z\.date\(\) \(/,
    );
  });

  it("is found behind z.lazy of a recursive type", () => {
    const node: z.ZodType = z.lazy(() => z.object({ at: z.date(), children: z.array(node) }));
    expect(() => tool(z.object({ node }))).toThrow("no form for node.at, z.date()");
  });

  it("is named in a result with what a result can be", () => {
    expect(() => tool(z.object({}), z.array(z.object({ at: z.date() })))).toThrow(
      'createTool "pay" outputSchema: JSON Schema has no form for [].at, z.date() (write z.iso.datetime()).',
    );
    expect(() => tool(z.object({}), z.string().transform(Number))).toThrow("write the type that it makes behind it: .pipe(z.number())");
  });

  it("is named behind class and field in a decorator", () => {
    @description("Pays.")
    class PayTool extends Tool {
      @required([z.object({ total: z.bigint() })]) items!: { total: bigint }[];
      call(): void {}
    }
    expect(() => PayTool.definition).toThrow("PayTool.items[]: JSON Schema has no form for total, z.bigint()");
  });

  it("is named as missing if z.lazy gives undefined", () => {
    const type = z.object({ node: z.lazy(() => undefined as unknown as z.ZodString) });
    expect(() => tool(type)).toThrow('createTool "pay" inputSchema: a member of this zod type doesn\'t exist yet');
  });

  it("leads back to itself: the error is one of the definition", () => {
    const self: z.ZodType = z.lazy(() => self);
    expect(() => tool(z.object({ self }))).toThrow(ToolDefinitionError);
  });
});

describe("a type of a library that provides no JSON Schema", () => {
  it("zod/mini: the message names the import", () => {
    expect(() => tool(mini.object({ a: mini.string() }))).toThrow(
      'createTool "pay" inputSchema: types of zod/mini have no JSON Schema. Import the same type from "zod": import { z } from "zod".',
    );
  });

  it.each([
    ["valibot", "Wrap it in toStandardJsonSchema(...) of @valibot/to-json-schema."],
    ["zod", "Update zod to 4.2 or newer."],
    ["other", "Use a version of other that implements Standard JSON Schema."],
  ])("%s: the message says what to do", (vendor, fix) => {
    const type: StandardSchema = { "~standard": { version: 1, vendor, validate: (value) => ({ value }) } };
    expect(() => tool(type)).toThrow(`this ${vendor} type has no JSON Schema. ${fix}`);
  });

  it("the library's own reason stands in one line", () => {
    const fail = (): never => {
      throw new Error('{\n  code: "date"\n}.');
    };
    const type = { "~standard": { version: 1, vendor: "arktype", validate: () => ({}), jsonSchema: { input: fail, output: fail } } };
    expect(() => tool(type as never)).toThrow('this arktype type has no JSON Schema: { code: "date" }. Use types that JSON has.');
  });
});

describe("an arrow function in place of a type", () => {
  const withType = (type: unknown): unknown => {
    @description("Draws.")
    class DrawTool extends Tool {
      @optional(type as () => StringConstructor) node?: string;
      call(): void {}
    }
    return DrawTool.definition;
  };

  it("that meets a class before its definition is an error that says so", () => {
    expect(() => withType(() => Later)).toThrow(
      "DrawTool.node: its type doesn't exist yet: Cannot access 'Later' before initialization. The definition was read before that class " +
        "was defined, or two files import each other. Define the class above the line that attaches the tool, or move it into a file " +
        "that imports neither.",
    );
    class Later {}
  });

  it.each([
    [
      "returned undefined",
      () => undefined,
      "DrawTool.node: its type doesn't exist yet: the arrow function that names its type returned undefined",
    ],
    ["returned undefined in a list", [() => undefined], "DrawTool.node[]: its type doesn't exist yet"],
    [
      "threw",
      () => {
        throw new Error("No such model");
      },
      "DrawTool.node: the arrow function that names its type threw: No such model",
    ],
    ["returned a promise", async () => String, "DrawTool.node: the arrow function that names its type returned a promise"],
  ])("that %s is an error that says so", (_, type, message) => {
    expect(() => withType(type)).toThrow(message);
  });

  it("that leads back to itself is an error, not an overflow", () => {
    const self: unknown = () => self;
    const list: unknown = () => [list];
    expect(() => withType(self)).toThrow("DrawTool.node: the arrow function that names its type leads back to itself");
    expect(() => withType(list)).toThrow("DrawTool.node[]: the arrow function that names its type leads back to itself");
  });

  it("is read once the class is there, after it failed before", () => {
    let type: unknown;
    @description("Draws.")
    class DrawTool extends Tool {
      @required(() => type as StringConstructor) node!: string;
      call(): void {}
    }
    expect(() => DrawTool.definition).toThrow("doesn't exist yet");
    type = String;
    expect(DrawTool.definition.parametersSchema.properties).toEqual({ node: { type: "string" } });
  });
});

describe("@returns that doesn't fit", () => {
  it("is an error of the class if its type is undefined", () => {
    expect(() => {
      @returns(undefined as never)
      class CountTool extends Tool {
        call(): void {}
      }
      return CountTool;
    }).toThrow(
      "CountTool @returns: its type is undefined here, as a circular import leaves it. Write an arrow function: @returns(() => TheClass).",
    );
  });

  it("asks for { schema } around JSON Schema", () => {
    @description("Counts.")
    @returns({ type: "object" } as never)
    class CountTool extends Tool {
      call(): void {}
    }
    expect(() => definitionOf(CountTool)).toThrow(
      "CountTool @returns: an object is not a type token (JSON Schema is written as { schema: { ... } })",
    );
  });

  it("is named in the error of a result, with the path", async () => {
    @description("Counts.")
    @returns(z.object({ items: z.array(z.object({ price: z.number() })) }))
    class Count extends Tool {
      call(): { items: { price: number }[] } {
        return { items: [{ price: "low" as unknown as number }] };
      }
    }
    const running = new ToolExecutor({ tools: [Count] }).run("count", {});
    await expect(running).rejects.toThrow(
      "Invalid output received from tool implementation: count: items[0].price is invalid: expected number, received string (declared by @returns)",
    );
  });
});

describe("a wrong override", () => {
  it.each([
    [
      "a field",
      class PayTool extends AnyTool {
        call = (): number => 1;
      },
      "PayTool: the tool has no call method (a field that holds a function isn't one).",
    ],
    [
      "execute",
      class PayTool extends AnyTool {
        execute(): void {}
      },
      "PayTool: it has the method execute, but no call method. Rename execute to call.",
    ],
    [
      "static",
      class PayTool extends AnyTool {
        static override call(): void {}
      },
      'PayTool: its call is static. Take "static" away.',
    ],
    [
      "a number",
      class PayTool extends AnyTool {
        get call(): number {
          return 3;
        }
      },
      "PayTool.call: it must be a method, got number 3.",
    ],
  ])("call as %s is named with the fix", (_, written, message) => {
    const described = description("Pays.")(written as never) ?? written;
    expect(() => definitionOf(described)).toThrow(`${message} Write: async call(context: ToolContext) { ... }.`);
  });

  it("a getter in place of a parameter is rejected, because no argument could be assigned", () => {
    @description("Pays.")
    class PayTool extends Tool {
      @required(String) city!: string;
      call(): void {}
    }
    const AnyPayTool = PayTool as unknown as new () => object;
    class FixedTool extends AnyPayTool {
      get city(): string {
        return "Paris";
      }
    }
    class SettableTool extends AnyPayTool {
      #city = "";
      get city(): string {
        return this.#city;
      }
      set city(city: string) {
        this.#city = city;
      }
    }
    expect(() => definitionOf(FixedTool)).toThrow(
      "FixedTool.city: it is a parameter, and FixedTool has a getter of this name without a setter, so that no argument can be assigned. " +
        "Rename the getter, or declare the field again.",
    );
    expect(definitionOf(SettableTool)).toMatchObject({ parametersSchema: { required: ["city"] } });
  });
});
