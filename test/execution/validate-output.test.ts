import { z } from "zod";
import { createRunScope, ToolExecutor, validateToolOutput } from "../../src/execution/index.js";
import { type JsonSchema, mapOf } from "../../src/schema/index.js";
import {
  createTool,
  type FlexibleSchema,
  description,
  failure,
  json,
  required,
  returns,
  text,
  Tool,
  type ToolClass,
} from "../../src/tool/index.js";

describe("validateToolOutput", () => {
  it("asks Standard Schemas, of the whole result or of parts, and gives what they make", () => {
    @description("d")
    @returns(z.string())
    class TextTool extends Tool {
      override call() {}
    }
    class Row {
      @required(z.number().int()) id!: number;
    }
    @description("d")
    @returns([Row])
    class RowsTool extends Tool {
      override call() {}
    }
    const strip = createTool({
      name: "strip",
      description: "d",
      inputSchema: { type: "object" },
      outputSchema: z.object({ x: z.number() }),
      execute: () => undefined,
    });
    expect(validateToolOutput(TextTool, 5)).toMatchObject({ ok: false });
    expect(validateToolOutput(TextTool, "a")).toEqual({ ok: true, value: "a" });
    expect(validateToolOutput(RowsTool, [{ id: 1 }, { id: 1.5 }])).toEqual({ ok: false, error: expect.stringMatching(/^\[1\]\.id /) });
    expect(validateToolOutput(RowsTool, [{ id: 1 }])).toEqual({ ok: true, value: [{ id: 1 }] });
    expect(validateToolOutput(strip, { x: "a" })).toEqual({ ok: false, error: expect.stringMatching(/^x /) });
    expect(validateToolOutput(strip, { x: 1, secret: 2 })).toEqual({ ok: true, value: { x: 1 } });
  });

  class Visit {
    @required(Date) at!: Date;
    @required(String) place!: string;
  }

  const returning = (type: unknown): ToolClass => {
    @description("d")
    @returns(type as never)
    class ReturningTool extends Tool {
      override call(): unknown {
        return returned;
      }
    }
    return ReturningTool;
  };
  let returned: unknown;
  const noon = new Date("2026-01-02T12:00:00Z");

  it.each<[string, unknown, unknown]>([
    ["a Date", Date, noon],
    ["an invalid Date", Date, new Date(Number.NaN)],
    ["an instance with a Date", Visit, Object.assign(new Visit(), { at: noon, place: "Rome" })],
    ["members that are undefined", Visit, { at: noon, place: "Rome", note: undefined }],
    ["a Map", mapOf(Date), new Map([["first", noon]])],
    ["a Set", [String], new Set(["a", "b"])],
    ["digits of a BigInt", String, 12n],
    ["a text that isn't the number it should be", Number, "12"],
    ["nothing", String, undefined],
    ["text()", String, text("a")],
    ["json()", Visit, json({ at: noon, place: "Rome" })],
    ["a generator", [String], (function* () {})()],
  ])("judges as a call does: %s", async (_what, type, value) => {
    const tool = returning(type);
    returned = value;
    const result = await new ToolExecutor({ tools: [tool] }).call({ id: "1", name: "returning_tool", arguments: {} }, createRunScope());
    const checked = validateToolOutput(tool, value);
    expect(checked.ok).toBe(result.error === undefined);
    if (checked.ok) expect(checked.value).toEqual(result.data);
    else expect(result.error).toContain(checked.error);
  });

  it("takes any JSON of a tool without output schema, and what becomes JSON", () => {
    const tool = createTool({ name: "t", description: "d", inputSchema: { type: "object" }, execute: () => undefined });
    expect(validateToolOutput(tool, { at: noon })).toEqual({ ok: true, value: { at: "2026-01-02T12:00:00.000Z" } });
  });

  it("doesn't take a failure for a result", () => {
    expect(validateToolOutput(returning(String), failure("No station."))).toEqual({ ok: false, error: "the tool failed: No station." });
  });
});

describe("a long integer of a result", () => {
  const long = "9007199254740993";
  const returningTool = (outputSchema: FlexibleSchema, execute: () => unknown = () => undefined): ToolClass =>
    createTool({ name: "order", description: "d", inputSchema: { type: "object" }, outputSchema, execute } as never);
  const id = { type: "integer" } as const;
  const mixed: JsonSchema = {
    anyOf: [
      { type: "object", properties: { id, account: { type: "string" } }, required: ["id", "account"] },
      { type: "object", properties: { error: { type: "string" } }, required: ["error"] },
    ],
  };

  const outcomes = async (outputSchema: FlexibleSchema, output: unknown) => {
    const tool = returningTool(outputSchema, () => output);
    const checked = validateToolOutput(tool, output);
    const result = await new ToolExecutor({ tools: [tool] }).call({ id: "c1", name: "order", arguments: {} }, createRunScope());
    return { checked: checked.ok ? checked.value : checked.error, run: result.error ?? result.data };
  };

  it.each<[string, FlexibleSchema, unknown, unknown]>([
    ["fits an integer as the text of its digits", id, long, long],
    ["fits as a bigint", id, 9007199254740993n, long],
    [
      "fits beside a text of digits",
      { type: "object", properties: { id, code: { type: "string" } }, required: ["id", "code"] },
      { id: long, code: long },
      { id: long, code: long },
    ],
    ["fits a union of forms that mix long integers and texts of digits", mixed, { id: long, account: long }, { id: long, account: long }],
    ["fits a list of such forms", { type: "array", items: mixed }, [{ id: long, account: long }], [{ id: long, account: long }]],
    ["fits a schema for integers and texts", { type: "array", items: { type: ["integer", "string"] } }, [long, 5], [long, 5]],
    [
      "fits in a union beside a text of digits",
      {
        type: "object",
        properties: {
          code: { type: "string" },
          order: {
            anyOf: [
              { type: "object", properties: { id }, required: ["id"] },
              { type: "object", properties: { no: id }, required: ["no"] },
            ],
          },
        },
      },
      { code: long, order: { id: long } },
      { code: long, order: { id: long } },
    ],
    ["leaves out what the schema leaves out", z.object({ id: z.number() }), { id: long, secret: "s" }, { id: long }],
    [
      "keeps to what the schema makes of other members",
      z.object({ id: z.number(), n: z.number().default(3) }),
      { id: long },
      { id: long, n: 3 },
    ],
  ])("%s", async (_, outputSchema, output, expected) => {
    expect(await outcomes(outputSchema, output)).toEqual({ checked: expected, run: expected });
  });

  it("doesn't fit another type", async () => {
    const { checked, run } = await outcomes({ type: "boolean" }, long);
    expect(checked).toMatch(/must be true or false|boolean/);
    expect(run).toMatch(/invalid result/);
  });
});
