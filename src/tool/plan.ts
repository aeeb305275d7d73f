import { compileSchema, type Fault, fail, succeed } from "../schema/index.js";
import { checkByRules } from "./bridges/class-validator.js";
import { toInstance, transformsOf } from "./bridges/class-transformer.js";
import { definitionOf, type ResolvedTool, resolve } from "./definition.js";
import { holderOf, ownMetadata } from "./metadata.js";
import type { Holder, Revival } from "./revival.js";
import type { Tool } from "./tool.js";
import type { ToolClass } from "./tool-class.js";
import type { InputReading, ReadyInput, ToolPlan } from "./tool-plan.js";

/** Everything that a call of the class needs, made on the first call. */
export function planOf(toolClass: ToolClass): ToolPlan {
  const metadata = ownMetadata(holderOf(toolClass));
  metadata.plan ??= makePlan(toolClass, resolve(toolClass));
  return metadata.plan as ToolPlan;
}

function makePlan(toolClass: ToolClass, resolved: ResolvedTool): ToolPlan {
  const { builder } = resolved;
  const definition = definitionOf(toolClass);
  const validator = compileSchema(builder.localSchema(resolved.definition.parametersSchema));
  const revive = reviverOf(toolClass, resolved);
  return {
    definition,
    ...(resolved.created === undefined ? {} : { created: true as const }),
    readInput(value, options) {
      const validated = validator.validate(value, options);
      if (!validated.ok) return validated;
      const input = validated.value as Record<string, unknown>;
      if (revive === undefined) {
        return succeed(validated.repairs === undefined ? { input, values: input } : { input, values: input, repairs: validated.repairs });
      }
      const ready: ReadyInput = { input, values: { ...input }, ...(validated.repairs === undefined ? {} : { repairs: validated.repairs }) };
      return revive(ready, options.repair);
    },
    run: runnerOf(resolved),
    ...(resolved.output === undefined ? {} : { readOutput: outputReader(resolved.output) }),
  };
}

type ReviveInput = (ready: ReadyInput, repair: boolean) => InputReading | Promise<InputReading>;

/** The second half of reading input, where JSON is not yet what the author declared; absent where it is. */
function reviverOf(toolClass: ToolClass, resolved: ResolvedTool): ReviveInput | undefined {
  const { created } = resolved;
  if (created !== undefined) {
    const { revive } = created.input;
    if (revive === undefined) return undefined;
    return (ready, repair) => {
      const revival: Revival = { faults: [], pending: [], repair };
      const holder: Holder = { root: ready.input };
      revive(holder, "root", "", revival);
      return afterPending(revival, () => settle(revival.faults, { ...ready, values: holder.root as Record<string, unknown> }));
    };
  }
  const fields = [...resolved.fields, ...resolved.signature.parameters].filter((field) => field.revive !== undefined);
  const { inputs, builder } = resolved;
  const transformed = transformsOf(toolClass)?.active === true;
  if (fields.length === 0 && inputs.length === 0 && !builder.hasRules && !transformed) return undefined;
  return (ready, repair) => {
    const revival: Revival = { faults: [], pending: [], repair };
    const values = transformed ? transformedValues(toolClass, ready.values) : ready.values;
    for (const group of inputs) {
      gather(values, group.property, group.names);
      group.shape.revive?.(values, group.property, "", revival);
    }
    for (const field of fields) {
      if (field.revivesAbsent || values[field.name] !== undefined) field.revive?.(values, field.name, field.name, revival);
    }
    return afterPending(revival, () => {
      if (revival.faults.length > 0 || !builder.hasRules) return settle(revival.faults, { ...ready, values });
      const standIn = Object.assign(Object.create(toolClass.prototype as object) as object, values);
      const found = checkByRules(standIn);
      const groups = new Set(inputs.map((group) => group.property));
      const finish = (faults: readonly Fault[]) =>
        settle(
          faults.map((fault) => withoutGroup(fault, groups)),
          { ...ready, values },
        );
      return found instanceof Promise ? found.then(finish) : finish(found);
    });
  };
}

const settle = (faults: readonly Fault[], ready: ReadyInput): InputReading => (faults.length > 0 ? fail(faults) : succeed(ready));

function afterPending(revival: Revival, next: () => InputReading | Promise<InputReading>): InputReading | Promise<InputReading> {
  return revival.pending.length === 0 ? next() : Promise.all(revival.pending).then(next);
}

/** Moves the parameters of an `@input` class under its property. */
function gather(values: Record<string, unknown>, property: string, names: readonly string[]): void {
  const group: Record<string, unknown> = {};
  for (const name of names) {
    if (!Object.hasOwn(values, name)) continue;
    group[name] = values[name];
    delete values[name];
  }
  values[property] = group;
}

/** The model knows the fields of an `@input` class as parameters of their own: faults name them so. */
function withoutGroup(fault: Fault, groups: ReadonlySet<string>): Fault {
  const [first, ...rest] = fault.path.split(".");
  return first !== undefined && groups.has(first) && rest.length > 0 ? { ...fault, path: rest.join(".") } : fault;
}

/** class-transformer's `@Transform` on the tool's own fields: applied to a plain copy, never to the tool. */
function transformedValues(toolClass: ToolClass, values: Record<string, unknown>): Record<string, unknown> {
  return { ...toInstance(toolClass, values) } as Record<string, unknown>;
}

function runnerOf({ created, signature }: ResolvedTool): ToolPlan["run"] {
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
      if (!parameterNames.has(name)) (instance as unknown as Holder)[name] = value;
    }
    return instance.call(
      ...positions.map((name) => (name === undefined ? context : Object.hasOwn(ready.values, name) ? ready.values[name] : undefined)),
    );
  };
}

/** After construction, never before: declared fields would wipe what a base constructor assigned. */
function assignTo(instance: Tool, values: Record<string, unknown>): void {
  const target = instance as unknown as Holder;
  for (const name in values) target[name] = values[name];
}

function outputReader({ shape, builder }: NonNullable<ResolvedTool["output"]>): NonNullable<ToolPlan["readOutput"]> {
  return (value) => {
    const validated = builder.validatorOf(shape.schema).validate(value, { owned: false, repair: false });
    if (!validated.ok) return validated;
    if (builder.selfValidating.size === 0) return succeed(validated.value);
    // Standard Schemas check for themselves. Only one for the whole result also says what the result is.
    const revival: Revival = { faults: [], pending: [], repair: false };
    const holder: Holder = { root: validated.value };
    shape.revive?.(holder, "root", "", revival);
    if (revival.pending.length > 0) {
      for (const pending of revival.pending) pending.catch(() => undefined);
      return fail([asynchronousOutput]);
    }
    if (revival.faults.length > 0) return fail(revival.faults);
    return succeed(builder.selfValidating.has(shape.schema) ? holder.root : validated.value);
  };
}

const asynchronousOutput: Fault = {
  path: "",
  keyword: "standard",
  message: "can't be checked: its schema has asynchronous rules. Use synchronous ones for results.",
};
