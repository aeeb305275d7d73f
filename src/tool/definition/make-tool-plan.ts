import { type Fault, fail, type Repair, succeed } from "../../schema/index.js";
import { compileSchema, type SchemaValidator } from "../../schema/internal.js";
import { transformsOf } from "../bridges/class-transformer.js";
import { readInstance } from "../bridges/transformed-instance.js";
import { withoutConstructor } from "../bridges/transformer-view.js";
import { checkByRules } from "../bridges/class-validator.js";
import { definitionOf, type InputGroup, type ResolvedTool, resolve } from "./resolve-definition.js";
import { inspectorOf } from "./initializers.js";
import { holderOf, ownMetadata } from "../metadata.js";
import { originalOf } from "../renamed-tool.js";
import { allSettled, type Holder, startRevival } from "./revival.js";
import { inOwnWords } from "./rule-messages.js";
import type { Tool } from "../tool.js";
import { failure } from "../tool-response.js";
import type { ToolClass } from "../tool-class.js";
import type { InputReading, ToolPlan } from "./tool-plan.js";

/** Everything that a call of the class needs, made on the first call. */
export function planOf(toolClass: ToolClass): ToolPlan {
  const metadata = ownMetadata(holderOf(toolClass));
  metadata.plan ??= planFor(toolClass);
  return metadata.plan as ToolPlan;
}

/** A renamed tool shares all but the name with its original, compiled validators included. */
function planFor(toolClass: ToolClass): ToolPlan {
  const original = originalOf(toolClass);
  return original === toolClass
    ? makePlan(toolClass, resolve(toolClass))
    : Object.assign({}, planOf(original), { definition: definitionOf(toolClass) });
}

function makePlan(toolClass: ToolClass, resolved: ResolvedTool): ToolPlan {
  const { builder } = resolved;
  const definition = definitionOf(toolClass);
  const validator = compileSchema(builder.localSchema(resolved.definition.parametersSchema));
  const revive = reviverOf(toolClass, resolved);
  const complete = builder.isOpen ? completerOf(compileSchema(resolved.definition.parametersSchema)) : undefined;
  return {
    definition,
    ...(resolved.created === undefined ? {} : { created: true as const }),
    readInput(value, options) {
      const validated = validator.validate(value, options);
      if (!validated.ok) return fail(inOwnWords(validated.error, resolved.definition.parametersSchema, value, builder));
      const input = validated.value as Record<string, unknown>;
      if (revive === undefined) {
        return succeed(validated.repairs === undefined ? { input, values: input } : { input, values: input, repairs: validated.repairs });
      }
      return complete === undefined ? revive(input, validated.repairs) : complete(revive, input, validated.repairs, options.repair);
    },
    ...(resolved.inputs.length === 0 ? {} : { byParameter: (values) => spread(values, resolved.inputs) }),
    inspect: inspectorOf(toolClass, resolved.fields),
    run: runnerOf(resolved),
    ...(resolved.output === undefined ? {} : { readOutput: outputReader(resolved.output) }),
  };
}

type Reading = InputReading | Promise<InputReading>;
type Repairs = readonly Repair[] | undefined;

/** The second half of reading input: from JSON to what the author declared. */
type ReviveInput = (input: Record<string, unknown>, repairs: Repairs) => Reading;

/**
 * Standard Schemas check for themselves, rules check what a `@Transform` makes, and what comes of it is for the tool alone.
 * Confirmations, records and repeated calls get JSON: by the schema on the wire, the input gets its defaults, and if it was
 * rejected, its repairs.
 */
function completerOf(wire: SchemaValidator) {
  return (revive: ReviveInput, input: Record<string, unknown>, repairs: Repairs, repair: boolean): Reading => {
    const finish = (reading: InputReading): Reading => {
      if (reading.ok) {
        const filled = wire.validate(input, { owned: false, repair: false });
        return filled.ok
          ? succeed({ ...reading.value, sent: input, input: filled.value as Record<string, unknown> })
          : succeed({ ...reading.value, isCoerced: true });
      }
      const repaired = repair ? wire.validate(input, { owned: false, repair: true }) : undefined;
      if (repaired?.ok !== true || repaired.repairs === undefined) return reading;
      const again = revive(repaired.value as Record<string, unknown>, [...(repairs ?? []), ...repaired.repairs]);
      return now(again, (second) => (second.ok ? second : reading));
    };
    return now(revive(input, repairs), finish);
  };
}

/** Goes on at once if the value is there, so that synchronous rules stay synchronous. */
const now = <Value>(value: Value | Promise<Value>, next: (value: Value) => Reading): Reading =>
  value instanceof Promise ? value.then(next) : next(value);

/** Absent if JSON is already what the author declared. */
function reviverOf(toolClass: ToolClass, resolved: ResolvedTool): ReviveInput | undefined {
  const { created } = resolved;
  if (created !== undefined) {
    const { revive } = created.input;
    if (revive === undefined) return undefined;
    return (input, repairs) => {
      const revival = startRevival();
      const holder: Holder = { root: input };
      revive(holder, "root", "", revival);
      return now(allSettled(revival), () => settle(revival.faults, input, holder.root as Record<string, unknown>, repairs));
    };
  }
  const fields = [...resolved.fields, ...resolved.signature.parameters].filter((field) => field.revive !== undefined);
  const { inputs, builder } = resolved;
  const standIn = transformsOf(toolClass)?.active === true ? withoutConstructor(toolClass) : undefined;
  if (fields.length === 0 && inputs.length === 0 && !builder.hasRules && standIn === undefined) return undefined;
  const groups = new Set(inputs.map((group) => group.property));
  return (input, repairs) => {
    const revival = startRevival();
    // class-transformer's @Transform on the tool's own fields is applied to a copy, never to the tool.
    const transformed = standIn && readInstance(standIn, input, "");
    if (transformed?.ok === false) return transformed;
    const values: Record<string, unknown> = { ...(transformed?.value ?? input) };
    if (inputs.length > 0) gather(values, inputs);
    for (const group of inputs) group.shape.revive?.(values, group.property, "", revival);
    for (const field of fields) {
      if (field.revivesAbsent || values[field.name] !== undefined) field.revive?.(values, field.name, field.name, revival);
    }
    // Most calls end here, and need no function for what comes later.
    if (revival.pending.length === 0 && !builder.hasRules) return settle(revival.faults, input, values, repairs);
    return now(allSettled(revival), () => {
      if (revival.faults.length > 0 || !builder.hasRules) return settle(revival.faults, input, values, repairs);
      const checked = Object.assign(Object.create(toolClass.prototype as object) as object, values);
      return now<readonly Fault[]>(checkByRules(checked), (faults) =>
        settle(
          faults.map((fault) => withoutGroup(fault, groups)),
          input,
          values,
          repairs,
        ),
      );
    });
  };
}

function settle(faults: readonly Fault[], input: Record<string, unknown>, values: Record<string, unknown>, repairs: Repairs): InputReading {
  if (faults.length > 0) return fail(faults);
  return succeed(repairs === undefined ? { input, values } : { input, values, repairs });
}

/** Moves the parameters of each `@input` class under its property, which may have the name of another's parameter. */
function gather(values: Record<string, unknown>, inputs: readonly InputGroup[]): void {
  const gathered: Record<string, unknown> = {};
  for (const { property, names } of inputs) {
    const group: Record<string, unknown> = {};
    for (const name of names) {
      if (!Object.hasOwn(values, name)) continue;
      group[name] = values[name];
      delete values[name];
    }
    gathered[property] = group;
  }
  Object.assign(values, gathered);
}

/** The opposite of `gather`. */
function spread(values: Readonly<Record<string, unknown>>, inputs: readonly InputGroup[]): Record<string, unknown> {
  const groups = new Set(inputs.map(({ property }) => property));
  const others = Object.entries(values).filter(([name]) => !groups.has(name));
  return Object.assign(Object.fromEntries(others), ...inputs.map(({ property }) => values[property])) as Record<string, unknown>;
}

/** The model knows the fields of an `@input` class as parameters of their own: faults name them so. */
function withoutGroup(fault: Fault, groups: ReadonlySet<string>): Fault {
  const [first, ...rest] = fault.path.split(".");
  return first !== undefined && groups.has(first) && rest.length > 0 ? { ...fault, path: rest.join(".") } : fault;
}

function runnerOf({ created, signature, definition }: ResolvedTool): ToolPlan["run"] {
  if (definition.answeredBy !== undefined) return () => failure("Not answered: the client answers this call, and gave no answer.");
  if (created !== undefined) return (_instance, ready, context) => created.execute(ready.values, context as never);
  const { positions } = signature;
  if (positions.length === 0) {
    return (instance, ready, context) => {
      assignTo(instance, ready.values);
      return instance.call(context);
    };
  }
  const parameterNames = new Set(signature.parameters.map((parameter) => parameter.name));
  return (instance, ready, context) => {
    for (const [name, value] of Object.entries(ready.values)) {
      // `Tool` declares no fields: those of the subclass are known by name.
      if (!parameterNames.has(name)) (instance as unknown as Holder)[name] = value;
    }
    return instance.call(
      ...positions.map((name) => (name === undefined ? context : Object.hasOwn(ready.values, name) ? ready.values[name] : undefined)),
    );
  };
}

/**
 * After construction, never before: declared fields would wipe what a base constructor assigned. Own members alone, and never the
 * tool's code.
 */
function assignTo(instance: Tool, values: Record<string, unknown>): void {
  const target = instance as unknown as Holder;
  for (const name of Object.keys(values)) if (name !== "call") target[name] = values[name];
}

function outputReader({ shape, builder }: NonNullable<ResolvedTool["output"]>): NonNullable<ToolPlan["readOutput"]> {
  return (value) => {
    const validated = builder.validatorOf(shape.schema).validate(value, { owned: false, repair: false });
    if (!validated.ok) return validated;
    if (builder.selfValidating.size === 0) return succeed(validated.value);
    // Standard Schemas check for themselves. Only one for the whole result also says what the result is.
    const revival = startRevival();
    const holder: Holder = { root: validated.value };
    shape.revive?.(holder, "root", "", revival);
    if (revival.pending.length > 0) return fail([asynchronousOutput]);
    if (revival.faults.length > 0) return fail(revival.faults);
    return succeed(builder.selfValidating.has(shape.schema) ? holder.root : validated.value);
  };
}

const asynchronousOutput: Fault = {
  path: "",
  keyword: "standard",
  message: "can't be checked: its schema has asynchronous rules. Use synchronous ones for results.",
};
