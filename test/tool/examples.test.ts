import { z } from "zod";
import { universalDefinition, definitionHash } from "../../src/execution/index.js";
import { createHttpTool } from "../../src/http/index.js";
import {
  createTool,
  createToolDefinition,
  description,
  example,
  input,
  optional,
  required,
  Tool,
  ToolDefinitionError,
  tool,
} from "../../src/tool/index.js";
import { renamedTool } from "../../src/tool/internal.js";
import { dialects, evaluate } from "./in-dialect.js";

class Place {
  @required(String) street!: string;
}

@description("Schedules a meeting. Use when the user names a day.")
@example({ title: "Review", day: new Date("2030-04-01T00:00:00Z"), place: { street: "Main" } })
@example({ title: "Lunch", day: "2030-04-02T12:00:00Z" })
class ScheduleTool extends Tool {
  @required(String) title!: string;
  @required(Date) day!: Date;
  @optional(Place) place?: Place;
  @optional([String], { default: [] }) guests!: string[];
  override call() {}
}

const examples = [
  { title: "Review", day: "2030-04-01T00:00:00.000Z", place: { street: "Main" } },
  { title: "Lunch", day: "2030-04-02T12:00:00Z" },
];

const config = {
  name: "book",
  description: "Books. Use when asked.",
  inputSchema: { type: "object", properties: { nights: { type: "integer" } }, required: ["nights"] },
} as const;

/** The message of the error that a call throws. */
function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(ToolDefinitionError);
    return (error as Error).message;
  }
  return "Nothing was thrown.";
}

describe("examples of a tool", () => {
  it("are in its definition as JSON, in the order of the source, without defaults", () => {
    expect(ScheduleTool.definition.examples).toEqual(examples);
    expect(Object.isFrozen(ScheduleTool.definition.examples?.[0]?.place)).toBe(true);
  });

  it.each(dialects)("can be decorated in the %s dialect", (dialect) => {
    const { A } = evaluate(
      dialect,
      '@example({ n: 1 }) @example({ n: 2 }) @description("Counts.") export class A extends Tool { @required(Number) n; call() {} }',
    );
    expect(A.definition.examples).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("are inherited, and replaced by those of a subclass", () => {
    class Same extends ScheduleTool {}
    @example({ title: "Other", day: "2030-01-01T00:00:00Z" })
    class Other extends ScheduleTool {}
    expect(Same.definition.examples).toEqual(examples);
    expect(Other.definition.examples).toEqual([{ title: "Other", day: "2030-01-01T00:00:00Z" }]);
  });

  it("can be given to @tool, createTool, createToolDefinition and createHttpTool", () => {
    @tool({ description: "Counts.", examples: [{ n: 1 }] })
    class Count extends Tool {
      @required(Number) n!: number;
      override call() {}
    }
    const Book = createTool({ ...config, examples: [{ nights: 2 }], execute: () => 1 });
    const { outputSchema: _, ...universal } = { ...universalDefinition(Book), outputSchema: undefined };
    const Get = createHttpTool({ ...config, examples: [{ nights: 2 }], method: "GET", url: "https://a.example/{nights}" });
    expect(Count.definition.examples).toEqual([{ n: 1 }]);
    expect([Book, createToolDefinition(universal), Get].map(({ definition }) => definition.examples)).toEqual(
      Array.from({ length: 3 }, () => [{ nights: 2 }]),
    );
  });

  it("stay with a tool that a registry renames, and with a subclass of one that createTool made", () => {
    const Book = createTool({ ...config, examples: [{ nights: 2 }], execute: () => 1 });
    @example({ nights: 3 })
    class Other extends Book {}
    expect(renamedTool(ScheduleTool, "a/schedule").definition.examples).toEqual(examples);
    expect(Other.definition.examples).toEqual([{ nights: 3 }]);
  });

  it("may be the arguments of an @input class", () => {
    @description("Sends to a place.")
    @example({ street: "Main" })
    class Send extends Tool {
      @input(Place) place!: Place;
      override call() {}
    }
    expect(Send.definition.examples).toEqual([{ street: "Main" }]);
  });

  it("are checked against the input of a Standard Schema", () => {
    const make = (nights: unknown) =>
      createTool({ ...config, inputSchema: z.object({ nights: z.int().default(1) }), examples: [{ nights } as never], execute: () => 1 });
    expect(make(2).definition.examples).toEqual([{ nights: 2 }]);
    expect(messageOf(() => make("two"))).toContain("nights");
  });

  it("change nothing of what an approval is bound to", () => {
    const { examples: _, ...plain } = ScheduleTool.definition;
    expect(definitionHash(ScheduleTool.definition)).toBe(definitionHash(plain));
  });

  it("are absent from a definition without any", () => {
    expect("examples" in createTool({ ...config, execute: () => 1 }).definition).toBe(false);
  });
});

describe("a wrong example is an error of the definition", () => {
  const define = (...given: object[]) => {
    @description("Books. Use when asked.")
    class BookTool extends Tool {
      @required(Number, { minimum: 1 }) nights!: number;
      override call() {}
    }
    for (const one of given) (example(one) as (target: unknown) => void)(BookTool);
    return BookTool.definition;
  };

  it("names class, example, path and fix", () => {
    expect(messageOf(() => define({ nights: 0 }))).toBe(
      'BookTool: the example {"nights":0} breaks the tool\'s schema: nights must be at least 1, got 0. Change the example or the parameter.',
    );
  });

  it("is not repaired", () => {
    expect(messageOf(() => define({ nights: "2" }))).toContain("nights must be");
  });

  it("names a missing and an unknown argument", () => {
    expect(messageOf(() => define({}))).toContain("nights is required");
    expect(messageOf(() => define({ nights: 1, night: 2 }))).toContain("night");
  });

  it("rejects more than five, none, and what is no object of arguments", () => {
    expect(messageOf(() => define(...Array.from({ length: 6 }, () => ({ nights: 1 }))))).toContain("1 to 5 objects of arguments, got 6");
    expect(messageOf(() => createTool({ ...config, examples: [], execute: () => 1 }))).toContain("got 0");
    expect(messageOf(() => define([1]))).toContain("must be an object of arguments, got");
  });

  it("rejects what JSON can't hold", () => {
    const circle: Record<string, unknown> = { nights: 1 };
    circle.self = circle;
    expect(messageOf(() => define(circle))).toContain("what JSON can't");
  });

  it("names @example if its parentheses are missing", () => {
    expect(messageOf(() => (example as unknown as (target: object) => void)(ScheduleTool))).toContain("write parentheses");
  });
});
