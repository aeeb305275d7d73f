import "reflect-metadata";
import { Transform, Type } from "class-transformer";
import { IsDate, IsString } from "class-validator";
import { Agent, model } from "../../src/agent/index.js";
import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { anyOf, mapOf } from "../../src/schema/index.js";
import { description, input, optional, required, returns, Tool, type ToolClass } from "../../src/tool/index.js";
import { validateToolInput } from "../../src/tool/internal.js";

/** A second that RFC 3339 has and `Date` hasn't. */
const leapSecond = "2016-12-31T23:59:60Z";
const fault = "must be a date and time that exists, with seconds from 00 to 59, such as 2024-05-17T09:30:00Z";

class Visit {
  @required(Date) at!: Date;
}

class Stay {
  @IsDate()
  @Type(() => Date)
  from!: Date;

  @IsString()
  @Transform(({ value }: { value: string }) => value.trim())
  guest!: string;
}

abstract class DateTool extends Tool {
  override call(): unknown {
    return "ran";
  }
}

@description("Takes a date.")
class FieldTool extends DateTool {
  @required(Date) at!: Date;
}

@description("Takes a date, or none.")
class OptionalTool extends DateTool {
  @optional(Date) at?: Date;
}

@description("Takes a class with a date.")
class NestedTool extends DateTool {
  @required(Visit) visit!: Visit;
}

@description("Takes dates.")
class ListTool extends DateTool {
  @required([Date]) days!: Date[];
}

@description("Takes dates by name.")
class MapTool extends DateTool {
  @required(mapOf(Date)) days!: Record<string, Date>;
}

@description("Takes the fields of a class.")
class InputTool extends DateTool {
  @input(Visit) visit!: Visit;
}

@description("Takes what class-transformer makes.")
class TransformedTool extends DateTool {
  @required(Stay) stay!: Stay;
}

@description("Takes a date or a text.")
class UnionTool extends DateTool {
  @required(anyOf(Date, String)) at!: Date | string;
  override call() {
    return this.at;
  }
}

const run = (tool: ToolClass, value: unknown) =>
  new ToolExecutor({ tools: [tool] }).call({ id: "1", name: tool.identifier, arguments: JSON.stringify(value) }, createRunScope());

describe("a text that no Date can hold", () => {
  it.each<[string, ToolClass, unknown, string]>([
    ["a field", FieldTool, { at: leapSecond }, "at"],
    ["an optional field", OptionalTool, { at: leapSecond }, "at"],
    ["a nested class", NestedTool, { visit: { at: leapSecond } }, "visit.at"],
    ["a list", ListTool, { days: ["2020-01-01T00:00:00Z", leapSecond] }, "days[1]"],
    ["a map", MapTool, { days: { first: leapSecond } }, "days.first"],
    ["an @input class", InputTool, { at: leapSecond }, "at"],
    ["a class that class-transformer makes", TransformedTool, { stay: { from: leapSecond, guest: "Ann" } }, "stay.from"],
  ])("is a validation error of %s, which names it", async (_place, tool, value, path) => {
    expect(await run(tool, value)).toMatchObject({ errorType: "validation_error", error: expect.stringContaining(`${path} ${fault}`) });
    expect(validateToolInput(tool, value)).toEqual({ ok: false, error: `${path} ${fault}` });
  });

  it.each([
    ["a day that doesn't exist", "2023-02-30T00:00:00Z"],
    ["24:00", "2024-01-01T24:00:00Z"],
    ["a year of five digits", "12024-01-01T00:00:00Z"],
    ["a leap second of another zone", "2017-01-01T05:29:60+05:30"],
  ])("is a validation error: %s", async (_what, at) => {
    expect(await run(FieldTool, { at })).toMatchObject({ errorType: "validation_error" });
  });

  it("is left to the next member of a union", async () => {
    expect(await run(UnionTool, { at: leapSecond })).toMatchObject({ data: leapSecond });
  });

  it("doesn't fit the @returns of an agent, which is asked again", async () => {
    @model(new ScriptedModel([{ text: JSON.stringify({ at: leapSecond }) }, { text: JSON.stringify({ at: "2016-12-31T23:59:59Z" }) }]))
    @returns(Visit)
    class VisitAgent extends Agent {}
    const response = await new VisitAgent().generate("When?");
    expect(response).toMatchObject({ output: { at: new Date("2016-12-31T23:59:59Z") } });
  });
});
