import { z } from "zod";
import { anyOf, Integer, mapOf } from "../../src/schema/index.js";
import {
  category,
  consequenceLevel,
  createTool,
  dependsOn,
  description,
  effect,
  concurrency,
  exclusive,
  rateLimit,
  identifier,
  optional,
  required,
  access,
  requiresConfirmation,
  retryable,
  returns,
  Tool,
  type ToolClass,
  type ToolContext,
  tags,
  timeout,
  tool,
  version,
} from "../../src/tool/index.js";

@description("Gets the current weather for a city")
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  @optional({ enum: ["celsius", "fahrenheit"], default: "celsius" })
  units!: "celsius" | "fahrenheit";

  override call() {
    return `Sunny in ${this.city}.`;
  }
}

describe("the parameters schema of a tool class", () => {
  it('seed 002, "JSON Schema Generation": is an object schema, closed, with required names', () => {
    expect(WeatherTool.parametersSchema).toEqual({
      type: "object",
      properties: {
        city: { type: "string", description: "The city name" },
        units: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" },
      },
      required: ["city"],
      additionalProperties: false,
    });
  });

  it('seed 002, "Supported Types": maps each type token to its JSON Schema type', () => {
    @description("All types")
    class AllTypes extends Tool {
      @required(String) text!: string;
      @required(Number) number!: number;
      @required(Integer) integer!: number;
      @required(Boolean) flag!: boolean;
      @required(Date) when!: Date;
      @required(Array) anything!: unknown[];
      @required(Object) open!: Record<string, unknown>;
      @required([String]) names!: string[];
      @required([[Integer]]) matrix!: number[][];
      @required(mapOf(Number)) prices!: Record<string, number>;
      @required(anyOf(String, Integer)) order!: string | number;
      override call() {}
    }
    expect(AllTypes.parametersSchema.properties).toEqual({
      text: { type: "string" },
      number: { type: "number" },
      integer: { type: "integer" },
      flag: { type: "boolean" },
      when: { type: "string", format: "date-time" },
      anything: { type: "array" },
      open: { type: "object" },
      names: { type: "array", items: { type: "string" } },
      matrix: { type: "array", items: { type: "array", items: { type: "integer" } } },
      prices: { type: "object", additionalProperties: { type: "number" } },
      order: { anyOf: [{ type: "string" }, { type: "integer" }] },
    });
  });

  it("puts nested classes inline", () => {
    class Address {
      @required(String) street!: string;
      @optional(String, { pattern: "^[0-9]{5}$" }) zip?: string;
    }
    @description("Ships an order")
    class ShipTool extends Tool {
      @required(Address, "Where to") address!: Address;
      @required([Address]) alternatives!: Address[];
      override call() {}
    }
    const address = {
      type: "object",
      properties: { street: { type: "string" }, zip: { type: "string", pattern: "^[0-9]{5}$" } },
      required: ["street"],
      additionalProperties: false,
    };
    expect(ShipTool.parametersSchema.properties).toEqual({
      address: { ...address, description: "Where to" },
      alternatives: { type: "array", items: address },
    });
  });

  it("refers to recursive classes by $ref", () => {
    class Comment {
      @required(String) text!: string;
      @optional(() => [Comment]) replies?: Comment[];
    }
    @description("Posts a thread")
    class PostTool extends Tool {
      @required(Comment) thread!: Comment;
      override call() {}
    }
    expect(PostTool.parametersSchema).toEqual({
      type: "object",
      properties: { thread: { $ref: "#/$defs/Comment" } },
      required: ["thread"],
      additionalProperties: false,
      $defs: {
        Comment: {
          type: "object",
          properties: { text: { type: "string" }, replies: { type: "array", items: { $ref: "#/$defs/Comment" } } },
          required: ["text"],
          additionalProperties: false,
        },
      },
    });
  });

  it("case 11: takes the values of a TypeScript enum, never its names", () => {
    enum Taste {
      Mild = "mild",
      Hot = "hot",
    }
    enum Level {
      Low,
      High = 5,
    }
    @description("Orders a curry")
    class CurryTool extends Tool {
      @required({ enum: Taste }) taste!: Taste;
      @required({ enum: Level }) level!: Level;
      override call() {}
    }
    expect(CurryTool.parametersSchema.properties).toEqual({
      taste: { type: "string", enum: ["mild", "hot"] },
      level: { type: "integer", enum: [0, 5] },
    });
  });

  it("takes the JSON Schema of a Standard Schema such as zod's", () => {
    @description("Searches")
    class SearchTool extends Tool {
      @required(z.object({ text: z.string(), limit: z.number().int() })) query!: { text: string; limit: number };
      override call() {}
    }
    expect(SearchTool.parametersSchema.properties?.query).toMatchObject({
      type: "object",
      properties: { text: { type: "string" }, limit: { type: "integer" } },
      required: ["text", "limit"],
    });
  });

  it("infers the type that the compiler emitted if none is written", () => {
    @description("Counts")
    class CountTool extends Tool {
      @required("The word") word!: string;
      @optional({ default: 3 }) limit!: number;
      override call() {}
    }
    expect(CountTool.parametersSchema.properties).toEqual({
      word: { type: "string", description: "The word" },
      limit: { type: "number", default: 3 },
    });
  });

  it("case 14: a grandchild without decorators of its own keeps its parents' fields", () => {
    @description("A")
    class A extends Tool {
      @required(String) id!: string;
      override call() {}
    }
    class B extends A {
      @optional([String]) tags?: string[];
    }
    class C extends B {}
    expect(C.parametersSchema).toMatchObject({ properties: { id: {}, tags: {} }, required: ["id"] });
  });

  it("case 16: a child that redeclares a field replaces it wholly, and the base keeps its own", () => {
    @description("Base")
    class Base extends Tool {
      @optional(String, "A name") name?: string;
      override call() {}
    }
    class Child extends Base {
      @required(String) declare name: string;
    }
    expect(Child.parametersSchema).toMatchObject({ properties: { name: { type: "string" } }, required: ["name"] });
    expect(Child.parametersSchema.properties?.name).not.toHaveProperty("description");
    expect(Base.parametersSchema.required).toBeUndefined();
  });

  it("reads parameters of call, beside fields", () => {
    @description("Adds")
    class AddTool extends Tool {
      @optional(Boolean) round?: boolean;
      override call(
        @required("left", Number) left: number,
        context: ToolContext,
        @optional("right", Number, { default: 1 }) right: number,
      ) {
        return [left, right, context];
      }
    }
    expect(AddTool.parametersSchema).toMatchObject({
      properties: { round: { type: "boolean" }, left: { type: "number" }, right: { type: "number", default: 1 } },
      required: ["left"],
    });
  });
});

describe("the definition of a tool class", () => {
  it('seed 002, "identifier / name": is named after the class in snake_case, unless it says otherwise', () => {
    @description("d")
    class HTTPServerTool extends Tool {
      override call() {}
    }
    @description("d")
    @identifier("kb_search")
    class SearchTool extends Tool {
      override call() {}
    }
    expect(WeatherTool.identifier).toBe("weather_tool");
    expect(HTTPServerTool.identifier).toBe("http_server_tool");
    expect(SearchTool.identifier).toBe("kb_search");
    expect(SearchTool.definition.name).toBe("kb_search");
  });

  describe("a class name that a minifier has changed", () => {
    const code = {
      "esbuild --minify": "var m=class extends Tool{call(){}};return m",
      "terser, with a name of three letters": "class aBc extends t.Tool{call(){}}return aBc",
      "minified identifiers alone": "const e = Tool; class hd extends e {\n  call() {}\n}\nreturn hd",
    };
    it.each(Object.entries(code))("is rejected, because the tool's name would change with each build: %s", (_, text) => {
      const minified = new Function("Tool", "t", text)(Tool, { Tool }) as ToolClass;
      description("Gets the weather.")(minified as never);
      expect(() => minified.definition).toThrow(/a minifier has changed the class's name.*@identifier\("get_weather"\)/);
      identifier("get_weather")(minified as never);
      expect(minified.definition.name).toBe("get_weather");
    });

    it("is distinguished from a short name that an author wrote", () => {
      @description("Adds two numbers.")
      class Add extends Tool {
        override call() {}
      }
      @description("Goes.")
      class Go extends Tool {
        override call() {}
      }
      expect([Add.identifier, Go.identifier]).toEqual(["add", "go"]);
    });

    it("is kept by --keep-names", () => {
      const kept = new Function(
        "Tool",
        'var m=class extends Tool{static{Object.defineProperty(this,"name",{value:"WeatherTool"})}call(){}};return m',
      )(Tool) as ToolClass;
      description("Gets the weather.")(kept as never);
      expect(kept.identifier).toBe("weather_tool");
    });
  });

  it("fills in the policy that was left out", () => {
    expect(WeatherTool.definition).toMatchObject({
      timeout: 10_000,
      category: "side_effect",
      consequenceLevel: "medium",
      requiresConfirmation: false,
      retryable: true,
      tags: [],
      dependsOn: [],
    });
    expect(WeatherTool.definition).not.toHaveProperty("effect");
  });

  it("takes every class decorator, one by one", () => {
    @description("Refunds an order")
    @timeout(5_000)
    @returns({ schema: { type: "object" } })
    @category("write")
    @consequenceLevel("high")
    @requiresConfirmation()
    @effect("once")
    @exclusive("billing")
    @concurrency(3)
    @rateLimit(100, 60_000, { whenExceeded: "reject" })
    @tags("billing", "money")
    @version("1.2.0")
    @dependsOn("get_order")
    @access({ scopes: ["billing"], roles: ["clerk"] })
    class RefundTool extends Tool {
      override call() {}
    }
    expect(RefundTool.definition).toMatchObject({
      timeout: 5_000,
      outputSchema: { type: "object" },
      category: "write",
      consequenceLevel: "high",
      requiresConfirmation: true,
      effect: "once",
      exclusive: "billing",
      concurrency: { calls: 3 },
      rateLimit: { calls: 100, period: 60_000, whenExceeded: "reject" },
      retryable: false,
      tags: ["billing", "money"],
      version: "1.2.0",
      dependsOn: ["get_order"],
      access: { scopes: ["billing"], roles: ["clerk"] },
    });
  });

  it("takes them all in one @tool", () => {
    @tool({ identifier: "refund", description: "Refunds an order", timeout: 5_000, category: "delete", tags: ["billing"] })
    class RefundTool extends Tool {
      override call() {}
    }
    expect(RefundTool.definition).toMatchObject({
      name: "refund",
      timeout: 5_000,
      category: "delete",
      retryable: false,
      tags: ["billing"],
    });
  });

  it("lets an author say that a write may be retried", () => {
    @description("Saves")
    @category("write")
    @retryable(true)
    class SaveTool extends Tool {
      override call() {}
    }
    expect(SaveTool.definition.retryable).toBe(true);
  });

  it("case 44: takes a timeout of 0, Infinity or more than a timer can hold as none", () => {
    for (const limit of [0, Number.POSITIVE_INFINITY, 2 ** 31]) {
      @description("d")
      @timeout(limit)
      class SlowTool extends Tool {
        override call() {}
      }
      expect(SlowTool.definition.timeout).toBe(Number.POSITIVE_INFINITY);
    }
  });

  it("is inherited, overridden, and never leaks sideways", () => {
    @description("base")
    @timeout(1_000)
    class Base extends Tool {
      override call() {}
    }
    @timeout(2_000)
    class Left extends Base {}
    class Right extends Base {}
    expect([Base, Left, Right].map(({ definition }) => [definition.name, definition.description, definition.timeout])).toEqual([
      ["base", "base", 1_000],
      ["left", "base", 2_000],
      ["right", "base", 1_000],
    ]);
  });

  it("is the same frozen object at every reading, all the way down", () => {
    expect(WeatherTool.definition).toBe(WeatherTool.definition);
    expect(Object.isFrozen(WeatherTool.definition)).toBe(true);
    expect(Object.isFrozen(WeatherTool.parametersSchema.properties?.city)).toBe(true);
  });
});

describe("what an author gets wrong fails at the first reading, naming class, field, reason and fix", () => {
  const mistake = (toolClass: { definition: unknown }): string => {
    try {
      void toolClass.definition;
    } catch (error) {
      expect((error as Error).name).toBe("ToolDefinitionError");
      return (error as Error).message;
    }
    throw new Error("the definition was accepted");
  };

  it("no description", () => {
    class Undescribed extends Tool {
      override call() {}
    }
    @description("  ")
    class Blank extends Tool {
      override call() {}
    }
    expect(mistake(Undescribed)).toMatch(/^Undescribed: the tool has no description.*@description/);
    expect(mistake(Blank)).toMatch(/^Blank: the tool has no description/);
  });

  it("a name that is empty, too long, or holds blanks", () => {
    for (const [name, reason] of [
      ["", "is empty"],
      ["x".repeat(129), "129 characters"],
      ["get weather", "blanks"],
    ] as const) {
      @description("d")
      @identifier(name)
      class BadName extends Tool {
        override call() {}
      }
      expect(mistake(BadName)).toMatch(new RegExp(`^BadName: .*${reason}`));
    }
  });

  it("a static member that hides the definition's", () => {
    @description("d")
    class Renamed extends Tool {
      static override identifier = "zzz";
      override call() {}
    }
    class Sub extends Renamed {}
    @description("d")
    class Described extends Tool {
      static override get parametersSchema() {
        return {};
      }
      override call() {}
    }
    expect(mistake(Renamed)).toBe(
      'Renamed: static identifier hides the one that Tool derives from the decorators. Write @identifier("zzz") above the class.',
    );
    expect(mistake(Sub)).toMatch(/^Sub: static identifier hides/);
    expect(mistake(Described)).toMatch(/^Described: static parametersSchema hides .* Rename it\.$/);
  });

  it("a function as a default", () => {
    @description("d")
    class Lazy extends Tool {
      // @ts-expect-error: the compiler refuses it too
      @optional(Object, { default: () => ({}) }) bag!: Record<string, unknown>;
      override call() {}
    }
    expect(mistake(Lazy)).toBe("Lazy.bag: default must be a value, not a function: each call gets a fresh copy of it.");
  });

  it.each([
    ["a bigint", 1n, "bigint 1"],
    ["no number", Number.NaN, "number NaN"],
    ["a symbol", Symbol("open"), "symbol Symbol(open)"],
  ])("an enum that lists %s, which JSON hasn't", (_, value, told) => {
    @description("d")
    class Listed extends Tool {
      @required({ enum: ["open", value as never] }) status!: string;
      override call() {}
    }
    expect(mistake(Listed)).toBe(`Listed.status: enum holds what JSON can't: ${told}. Write it as the model would.`);
  });

  it("a default that breaks its own schema (case 10)", () => {
    @description("d")
    class BadDefault extends Tool {
      @optional({ enum: ["a", "b"], default: "c" as "a" }) letter!: "a" | "b";
      override call() {}
    }
    @description("d")
    class TooLow extends Tool {
      @optional(Integer, { minimum: 1, default: 0 }) limit!: number;
      override call() {}
    }
    expect(mistake(BadDefault)).toMatch(/^BadDefault\.letter: the default "c" breaks its own schema/);
    expect(mistake(TooLow)).toMatch(/^TooLow\.limit: the default 0 breaks its own schema/);
  });

  it("a required parameter with a default", () => {
    @description("d")
    class Paged extends Tool {
      // @ts-expect-error: the compiler rejects it too
      @required(Integer, { default: 20 }) size!: number;
      override call() {}
    }
    expect(mistake(Paged)).toBe(
      "Paged: @required on size: it has a default, which a required parameter never uses. Write @optional with the default, or remove the default.",
    );
  });

  it("two parameters of one name", () => {
    @description("d")
    class Twice extends Tool {
      @required(String) city!: string;
      override call(@required("city", String) _city: string) {}
    }
    expect(mistake(Twice)).toMatch(/^Twice: two parameters are named "city"/);
  });

  it("a parameter named call", () => {
    @description("d")
    class Caller extends Tool {
      // @ts-expect-error: the compiler refuses it too
      override call(@required("call", String) _call: string) {}
    }
    expect(mistake(Caller)).toMatch(/^Caller: a parameter can't be named "call"/);
  });

  it("a call whose arguments nothing describes", () => {
    @description("d")
    class Bare extends Tool {
      override call(_city: object, _context: object) {}
    }
    @description("d")
    class Forgotten extends Tool {
      override call(@required("limit", Number) _limit: number, _city: string) {}
    }
    class City {
      @required(String) name!: string;
    }
    @description("d")
    class OfClass extends Tool {
      override call(@required("limit", Number) _limit: number, _city: City) {}
    }
    @description("d")
    class OfDate extends Tool {
      override call(@required("limit", Number) _limit: number, _day: Date) {}
    }
    expect(mistake(OfClass)).toMatch(/^OfClass: parameter 2 of call is a City that nothing describes/);
    expect(mistake(OfDate)).toMatch(/^OfDate: parameter 2 of call is a Date that nothing describes/);
    expect(mistake(Bare)).toMatch(/^Bare: call takes 2 parameters that nothing describes/);
    expect(mistake(Forgotten)).toMatch(/^Forgotten: parameter 2 of call is a String that nothing describes/);
  });

  it("a type that can't be known, with the line to write (case 17)", () => {
    class Child {
      @required(String) id!: string;
    }
    @description("d")
    class Items extends Tool {
      // @ts-expect-error the compiler says so too
      @required() items!: Child[];
      override call() {}
    }
    @description("d")
    class Either extends Tool {
      // @ts-expect-error the compiler says so too
      @required() value!: string | number;
      override call() {}
    }
    expect(mistake(Items)).toMatch(
      /^Items\.items: type unknown, because the compiler emits only that it is an array, not its item type\. Write the item type out: @required\(\[String\]\) items/,
    );
    expect(mistake(Either)).toMatch(/^Either\.value: type unknown, because its declared type has no form at run time/);
  });

  it("a class that describes no fields", () => {
    class Empty {}
    @description("d")
    class Holder extends Tool {
      @required(Empty) value!: Empty;
      override call() {}
    }
    expect(mistake(Holder)).toMatch(/^Holder\.value: the class Empty describes no fields/);
  });

  it("a constraint that doesn't speak of the type, or is no constraint, or has the wrong kind of value", () => {
    @description("d")
    class Misfit extends Tool {
      @required({ type: Number, ...({ minLength: 1 } as object) }) count!: number;
      override call() {}
    }
    @description("d")
    class Typo extends Tool {
      @required(String, { ...({ minLenght: 1 } as object) }) name!: string;
      override call() {}
    }
    @description("d")
    class Kind extends Tool {
      @required(String, { ...({ minLength: "1" } as object) }) name!: string;
      override call() {}
    }
    expect(mistake(Misfit)).toMatch(/^Misfit\.count: "minLength" constrains string, but the type is number/);
    expect(mistake(Typo)).toMatch(/^Typo: @required on name: unknown option "minLenght"/);
    expect(mistake(Kind)).toMatch(/^Kind\.name: minLength must be a number, got string "1"/);
  });

  it("policy values that don't exist", () => {
    @description("d")
    @timeout(-1)
    class Negative extends Tool {
      override call() {}
    }
    @description("d")
    @category("reading" as "read")
    class Category extends Tool {
      override call() {}
    }
    expect(mistake(Negative)).toMatch(/^Negative: timeout must be a number of milliseconds/);
    expect(mistake(Category)).toMatch(/^Category: category must be one of "read", "write"/);
  });

  it("a tool made by createTool without name, description, function or an object schema", () => {
    const right = { name: "a", description: "b", inputSchema: { type: "object" }, execute: () => 1 } as const;
    expect(() => createTool({ ...right, name: "" })).toThrow(/name is empty/);
    expect(() => createTool({ ...right, description: "" })).toThrow(/description is empty/);
    expect(() => createTool({ ...right, execute: 1 as never })).toThrow(/execute must be a function/);
    expect(() => createTool({ ...right, inputSchema: { type: "string" } })).toThrow(/arguments of a tool are an object/);
    expect(() => createTool({ ...right, inputSchema: 5 as never })).toThrow(/createTool "a" inputSchema/);
  });
});
