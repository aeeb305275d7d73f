import { Type } from "class-transformer";
import { IsEmail, IsInt, Max, registerDecorator, ValidateNested } from "class-validator";
import fc from "fast-check";
import { z } from "zod";
import { Agent } from "../../src/agent/index.js";
import { agentOutputOf } from "../../src/agent/output/index.js";
import { anyOf, Integer, mapOf } from "../../src/schema/index.js";
import { optional, type ReturnsOption, required, returns } from "../../src/tool/index.js";
import { settingOf } from "../../src/tool/internal.js";

class Author {
  @required(String) name!: string;

  get initial() {
    return this.name.charAt(0);
  }
}

class Report {
  @required(String, "In one line") title!: string;
  @required(Author) author!: Author;
  @optional(Integer, { default: 1, minimum: 1 }) pages!: number;
  @optional(Date) due?: Date;
}

const report = { title: "Rain", author: { name: "Ada" } };
const outputOf = (type: ReturnsOption) => agentOutputOf(type, "ReportAgent");
const read = (text: string, type: ReturnsOption = Report) => outputOf(type).read(text);

describe("@returns on an agent", () => {
  it("stands beside @returns of tools", () => {
    @returns(Report)
    class ReportAgent extends Agent<Report> {}
    expect(settingOf(ReportAgent, "returns")).toBe(Report);
  });

  it("asks for JSON of the class's schema, under its name", () => {
    expect(outputOf(Report)).toMatchObject({
      name: "report",
      schema: {
        type: "object",
        properties: { title: { type: "string", description: "In one line" }, pages: { type: "integer", minimum: 1, default: 1 } },
        required: ["title", "author"],
        additionalProperties: false,
      },
    });
  });

  it("refuses a type that can't be known, by the agent's name", () => {
    expect(() => outputOf(class Empty {})).toThrow("ReportAgent @returns: the class Empty describes no fields.");
    expect(() => outputOf(undefined as never)).toThrow("ReportAgent @returns: undefined is not a type token");
  });
});

describe("an answer that fits", () => {
  it("arrives as instances, with dates and defaults", async () => {
    const reading = await read(JSON.stringify({ ...report, due: "2026-01-02T00:00:00Z" }));
    if (!reading.ok) throw new Error(reading.error);
    expect(reading.value).toBeInstanceOf(Report);
    expect(reading.value).toEqual({ ...report, pages: 1, due: new Date("2026-01-02") });
    expect((reading.value as Report).author.initial).toBe("A");
  });

  it("is repaired if that loses nothing", async () => {
    expect(await read(JSON.stringify({ ...report, pages: "3" }))).toMatchObject({ ok: true, value: { pages: 3 } });
  });

  it.each([
    ["in a fence", (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    ["in a fence between words", (json: string) => `Here is {the report}:\n\`\`\`json\n${json}\n\`\`\`\nAnything [else]?`],
    ["between words", (json: string) => `Here is the report: ${json}\nAnything else?`],
    ["behind another fence", (json: string) => `First\n\`\`\`\n{"no": "report"}\n\`\`\`\nThen\n\`\`\`\n${json}\n\`\`\``],
    ["with a trailing comma", (json: string) => json.replace(/}$/, ",}")],
  ])("is found %s", async (_where, write) => {
    expect(await read(write(JSON.stringify(report)))).toMatchObject({ ok: true, value: report });
  });

  it("may hold fences itself", async () => {
    const title = "```js\n{}\n```";
    expect(await read(`Here: ${JSON.stringify({ ...report, title })}`)).toMatchObject({ ok: true, value: { title } });
  });

  it("is found in whatever stands around it", async () => {
    const type = { schema: { type: "object", properties: { value: {} }, required: ["value"], additionalProperties: false } } as const;
    const refusedInArguments = /__proto__|constructor|\d{16}/;
    const words = fc.string({ unit: fc.constantFrom("a", " ", "\n", ".", ":", "'", '"', "é") });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), words, words, fc.boolean(), async (value, before, after, fenced) => {
        const json = JSON.stringify({ value });
        const text = fenced ? `${before}\n\`\`\`json\n${json}\n\`\`\`\n${after}` : `${before}${json}${after}`;
        fc.pre(!refusedInArguments.test(json));
        expect(await read(text, type)).toEqual({ ok: true, value: JSON.parse(json) });
      }),
    );
  });
});

describe("an answer that doesn't fit", () => {
  it.each([
    ["", "the answer is empty"],
    ["Rain is coming.", "the answer is not JSON"],
    ['{"title": "Rai', "the answer ends too early, in the middle of its JSON"],
    ['{"title": "Rain"}', "author is required"],
    ['Here: {"title": 7, "author": {}}', "title must be a string, got number 7; author.name is required"],
    ["[]", "the answer must be an object, got an array"],
    [
      '{"__proto__": {"admin": true}}',
      'the answer is refused: The arguments hold the key "__proto__", which is not allowed. Leave it out.',
    ],
  ])("%p is reported: %s", async (text, fault) => {
    expect(await read(text)).toEqual({ ok: false, error: fault });
  });

  it("is asked for again with its faults and the schema, for models that were never shown it", async () => {
    const output = outputOf([String]);
    expect(output.repairPrompt("output[0] must be a string")).toBe(
      `Your answer doesn't fit: output[0] must be a string. Answer again, with nothing but one JSON object of this schema:\n${JSON.stringify(output.schema)}`,
    );
  });
});

describe("a type that is no object", () => {
  it("stands under a key, because providers take objects alone", async () => {
    expect(outputOf([String])).toMatchObject({
      name: "output",
      schema: { type: "object", properties: { output: { type: "array", items: { type: "string" } } }, required: ["output"] },
    });
    expect(await read('{"output": ["a"]}', [String])).toEqual({ ok: true, value: ["a"] });
  });

  it("may come without the key", async () => {
    expect(await read('["a"]', [String])).toEqual({ ok: true, value: ["a"] });
    expect(await read("42", Integer)).toEqual({ ok: true, value: 42 });
    expect(await read('{"name": "Ada"}', anyOf(Author, Report))).toEqual({ ok: true, value: { name: "Ada" } });
  });

  it("may refer to itself", async () => {
    class Node {
      @required([() => Node]) children!: Node[];
    }
    expect(outputOf(Node).schema).toMatchObject({ properties: { output: { $ref: "#/$defs/Node" } }, $defs: { Node: { type: "object" } } });
    const reading = await read('{"output": {"children": [{"children": []}]}}', Node);
    expect(reading.ok && (reading.value as Node).children[0]).toBeInstanceOf(Node);
    expect(await read('{"output": {"children": [{}]}}', Node)).toEqual({ ok: false, error: "children[0].children is required" });
  });
});

describe("other ways to say the type", () => {
  it("a raw schema is checked", async () => {
    const type = { schema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] } } as const;
    expect(await read('{"sum": 1.5}', type)).toEqual({ ok: true, value: { sum: 1.5 } });
    expect(await read("{}", type)).toEqual({ ok: false, error: "sum is required" });
  });

  it("a map has any keys", async () => {
    expect(await read('{"a": 1}', mapOf(Number))).toEqual({ ok: true, value: { a: 1 } });
  });

  it("a Standard Schema validates, asynchronously too, and its output is the output", async () => {
    const type = z
      .object({ city: z.string().refine(async (city) => city !== "Atlantis", "is under water") })
      .transform(({ city }) => city.length);
    expect(await read('{"city": "Paris"}', type)).toEqual({ ok: true, value: 5 });
    expect(await read('{"city": "Atlantis"}', type)).toEqual({ ok: false, error: "city is invalid: is under water" });
  });

  it("a DTO is checked by class-validator's rules, nested and asynchronous ones too", async () => {
    const taken = (target: object, propertyName: string) =>
      registerDecorator({
        name: "free",
        target: target.constructor,
        propertyName,
        validator: { validate: async (value) => value !== "taken@example.com", defaultMessage: () => "$property is taken" },
      });

    class Address {
      @IsEmail() @taken email!: string;
    }
    class Guest {
      @IsInt() @Max(120) age!: number;
      @ValidateNested() @Type(() => Address) address!: Address;
    }

    const reading = await read('{"age": 36, "address": {"email": "ada@example.com"}}', Guest);
    expect(reading.ok && (reading.value as Guest).address).toBeInstanceOf(Address);
    expect(await read('{"age": 36, "address": {"email": "taken@example.com"}}', Guest)).toEqual({
      ok: false,
      error: "address.email is taken",
    });
    expect(await read('{"age": 300, "address": {"email": "ada@example.com"}}', Guest)).toMatchObject({ ok: false });
  });
});
