import "reflect-metadata";
import { plainToInstance, Type } from "class-transformer";
import * as rules from "class-validator";
import { description, input, required, Tool, type ToolClass, ToolDefinitionError } from "../../src/tool/index.js";
import { validateToolInput } from "../../src/tool/internal.js";
import { sample } from "../support/repeats.js";
import { absent, everyRule, everyValue, type Rule } from "../support/rule-catalogue.js";

type Subject = new () => object;

/** Rules in a way in which applications write them. */
type Form = (rule: Rule) => readonly PropertyDecorator[];

function subjectOf(decorators: readonly PropertyDecorator[]): Subject {
  class Fields {}
  for (const decorate of decorators) decorate(Fields.prototype, "value");
  return Fields;
}

function toolOf(Fields: Subject): ToolClass {
  @description("Saves. Use when asked to.")
  class SaveTool extends Tool {
    @input(Fields) fields!: object;

    call(): void {}
  }
  return SaveTool;
}

interface Judgement {
  readonly value: unknown;
  readonly byClassValidator: boolean;
  readonly byTool: boolean;
}

/** The values that one of the two accepts and the other rejects; undefined if the field's type isn't known. */
function disagreements(decorators: readonly PropertyDecorator[]): readonly Judgement[] | undefined {
  const Fields = subjectOf(decorators);
  const tool = toolOf(Fields);
  const rejection = rejectionOf(tool);
  if (rejection?.includes("type unknown")) return undefined;
  const judged = sample(everyValue)
    .map((value) => {
      const given = value === absent ? {} : { value };
      return {
        value,
        byClassValidator: isAccepted(plainToInstance(Fields, given)),
        byTool: rejection === undefined && validateToolInput(tool, given).ok,
      };
    })
    .filter(({ byClassValidator, byTool }) => byClassValidator !== byTool);
  forgetRules();
  return judged;
}

/** class-validator looks through all classes that it knows at every validation. */
function forgetRules(): void {
  (rules.getMetadataStorage() as unknown as { readonly validationMetadatas: Map<object, unknown> }).validationMetadatas.clear();
}

function isAccepted(instance: object): boolean {
  try {
    return rules.validateSync(instance, { forbidUnknownValues: false, dismissDefaultMessages: true }).length === 0;
  } catch {
    return false; // @IsNumber({ maxDecimalPlaces: 2 }) throws at 1e-7
  }
}

/** Why the definition is rejected: no rule says which type a value has, or no value can be right. */
function rejectionOf(tool: ToolClass): string | undefined {
  try {
    return tool.definition === undefined ? "" : undefined;
  } catch (error) {
    if (error instanceof ToolDefinitionError) return error.message;
    throw error;
  }
}

/** What docs/02-tools.md names ("What class-validator accepts and a tool rejects"), by the form of the field. */
const isNoList = ({ value }: Judgement): boolean => !Array.isArray(value);
const isAbsent = ({ value }: Judgement): boolean => value === absent;
const isNoText = ({ value }: Judgement): boolean => typeof value !== "string";
const isNoDateTime = ({ value }: Judgement): boolean => typeof value !== "string" || !/T.*Z$/.test(value);
const nothing = (): boolean => false;

const anyType = required({ schema: {} }) as PropertyDecorator;
const emitted = (type: unknown): PropertyDecorator => Reflect.metadata("design:type", type) as PropertyDecorator;
const onlyTexts = (_fields: object, value: unknown): boolean => typeof value === "string";

const forms: readonly (readonly [name: string, form: Form, isNamed: (judgement: Judgement) => boolean, rejected: number])[] = [
  ["alone", (rule) => [rule()], nothing, 14],
  ["of a field of any type", (rule) => [anyType, rule()], isAbsent, 0],
  ["beside @IsOptional", (rule) => [rules.IsOptional(), rule()], nothing, 14],
  ["in a group, with a message", (rule) => [rule({ groups: ["create"], message: "Choose another" })], nothing, 14],
  ["beside @IsString", (rule) => [rules.IsString(), rule()], nothing, 0],
  ["beside @IsInt and @Min", (rule) => [rule(), rules.IsInt(), rules.Min(1)], nothing, 6],
  ["beside @IsNotEmpty", (rule) => [rules.IsNotEmpty(), rule()], nothing, 6],
  ["beside @IsIn", (rule) => [rule(), rules.IsIn(["a", 1, null])], nothing, 6],
  ["beside @NotEquals and @IsOptional", (rule) => [rules.IsOptional(), rules.NotEquals("a"), rule()], nothing, 6],
  ["beside @IsObject", (rule) => [rule(), rules.IsObject()], nothing, 6],
  ["of an emitted string", (rule) => [emitted(String), rule()], isNoText, 0],
  ["of each item", (rule) => [rule({ each: true })], isNoList, 8],
  ["of each item, beside @IsOptional", (rule) => [rules.IsOptional(), rule({ each: true })], isNoList, 8],
  [
    "of each item and of the list",
    (rule) => [emitted(Array), rules.IsString({ each: true }), rules.ArrayUnique(), rule({ each: true })],
    isNoList,
    0,
  ],
  ["under @ValidateIf", (rule) => [rules.ValidateIf(onlyTexts), rule()], isNoText, 19],
  ["with validateIf", (rule) => [rule({ validateIf: onlyTexts })], isNoText, 19],
  ["of a date", (rule) => [Type(() => Date), rule()], isNoDateTime, 0],
];

describe.each(forms)("a rule of class-validator %s", (_form, decorate, isNamed, rejected) => {
  it("accepts what validate() accepts, in arguments of a tool", () => {
    const judged = [...everyRule].map(([name, rule]) => [name, disagreements(decorate(rule))] as const);
    const unnamed = judged.flatMap(([name, found]) =>
      (found ?? []).filter((judgement) => !isNamed(judgement)).map((judgement) => [name, judgement]),
    );
    expect(unnamed).toEqual([]);
    expect(judged.filter(([, found]) => found === undefined)).toHaveLength(rejected);
  });
});

it("each rule of class-validator is tried with a value that it accepts and one that it rejects", () => {
  const undecided = [...everyRule].filter(([, rule]) => {
    const Fields = subjectOf([rule()]);
    const accepted = everyValue.filter((value) => isAccepted(Object.assign(new Fields(), value === absent ? {} : { value })));
    return accepted.length === 0 || accepted.length === everyValue.length;
  });
  expect(everyRule.size).toBe(107);
  // Dates and instances aren't JSON; @Allow accepts everything.
  expect(undecided.map(([name]) => name)).toEqual(["Allow", "MinDate", "MaxDate", "IsDate", "IsInstance"]);
});
