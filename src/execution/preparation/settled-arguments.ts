import { types } from "node:util";
import { type DeclaredValue, declaredValue, isPlain, isRecord } from "../../schema/internal.js";
import type { ReadyInput } from "../../tool/internal.js";
import { canonicalJson } from "../canonical-json.js";
import { copyJson } from "../result/copy-json.js";
import { normaliseArguments } from "../result/normalise.js";
import type { BoundTool } from "./prepared-call.js";

/** The arguments of one call as JSON, for display, records and hashes. They can be stored, and the call repeated with them. */
export interface SettledArguments {
  /** The arguments that were sent, with defaults. */
  readonly input: Record<string, unknown>;
  /** The values that the tool receives, if a transform changes the input. */
  readonly used?: unknown;
}

/** Arguments that a person was asked about, as they are stored until the call runs. */
export interface AskedArguments extends SettledArguments {
  /** The hash of the tool's definition: another definition reads them anew, and a person is asked again. */
  readonly definition: string;
}

/** Arguments that were read, as JSON. A default that is a function has been evaluated by then, and the input holds its value. */
export function settledArguments(
  { definition, plan }: BoundTool,
  { input, sent = input, isCoerced, values }: ReadyInput,
): SettledArguments {
  if (values === input) return { input };
  const byParameter = plan.byParameter?.(values) ?? values;
  // Most tools change nothing but classes of nested objects, and need no look at the schema.
  if (holdsTheSame(input, byParameter)) return { input };
  const settled = isCoerced
    ? input
    : withDefaults(sent, input, normaliseArguments(byParameter), declaredValue(definition.parametersSchema, sent));
  // An object stays an object.
  const result = { input: settled as Record<string, unknown> };
  return isSame(settled, byParameter) ? result : { ...result, used: normaliseArguments(values) };
}

/** The input, in which members that weren't sent have the values that the tool gets: a schema may evaluate its default once more. */
function withDefaults(sent: unknown, input: unknown, used: unknown, declared: DeclaredValue): unknown {
  if (sent === undefined && used !== undefined) return used;
  if (Array.isArray(input)) {
    return input.map((item, index) => withDefaults(memberOf(sent, index), item, memberOf(used, index), declared.inside(index)));
  }
  if (!isRecord(input) || !isRecord(used)) return input;
  const settled: Record<string, unknown> = {};
  for (const key of Object.keys(input)) {
    settled[key] = withDefaults(memberOf(sent, key), input[key], memberOf(used, key), declared.member(key) ?? declared.inside(key));
  }
  for (const key of declared.names()) {
    const value = memberOf(used, key);
    if (value !== undefined && !Object.hasOwn(settled, key)) settled[key] = value;
  }
  return settled;
}

/** Whether a value holds the same members as the JSON, whatever its classes, and no others that become JSON. */
function holdsTheSame(json: unknown, value: unknown): boolean {
  if (json === value) return true;
  if (!isRecord(json) && !Array.isArray(json)) return false;
  if (typeof value !== "object" || value === null || "toJSON" in value) return false;
  // Dates, maps and errors have other names.
  if (toText.call(value) !== (Array.isArray(json) ? "[object Array]" : "[object Object]")) return false;
  const [sent, used] = [json as Readonly<Record<string, unknown>>, value as Readonly<Record<string, unknown>>];
  // Loops, because each call of a stream comes through here.
  for (const key in sent) if (!Object.hasOwn(used, key) || !holdsTheSame(sent[key], used[key])) return false;
  for (const key in used) if (!Object.hasOwn(sent, key) && used[key] !== undefined && Object.hasOwn(used, key)) return false;
  return true;
}

const { toString: toText } = Object.prototype;

/**
 * Whether a value means the same as the JSON. A date may be written in another way, and an instance may have more members, which
 * its class gave it.
 */
function isSame(json: unknown, value: unknown): boolean {
  if (types.isDate(value)) return typeof json === "string" && Date.parse(json) === value.getTime();
  if (Array.isArray(json) && Array.isArray(value)) {
    return json.length === value.length && json.every((item, index) => isSame(item, value[index]));
  }
  if (!isRecord(json) || !isRecord(value) || types.isMap(value) || types.isSet(value)) {
    return canonicalJson(json) === canonicalJson(normaliseArguments(value));
  }
  const more = isPlain(value) ? Object.keys(value).filter((key) => value[key] !== undefined && !Object.hasOwn(json, key)) : [];
  return more.length === 0 && Object.keys(json).every((key) => isSame(json[key], memberOf(value, key)));
}

/**
 * Arguments that were read again, with the values that were settled before. JSON values are taken from there, so that nothing is
 * evaluated a second time. `undefined` if a value that isn't JSON came out differently.
 */
export function asSettled({ plan }: Pick<BoundTool, "plan">, ready: ReadyInput, settled: SettledArguments): ReadyInput | undefined {
  const { input, used } = settled;
  if (ready.values === ready.input) return canonicalJson(ready.input) === canonicalJson(input) ? ready : undefined;
  if (used === undefined && plan.byParameter !== undefined) {
    return isSame(input, plan.byParameter(ready.values)) ? { ...ready, input } : undefined;
  }
  const before = used ?? input;
  // If all the values are JSON, all are taken from before, whatever the schema makes now.
  if (isJson(ready.values)) return { ...ready, input, values: copyJson(before) as Record<string, unknown> };
  const isAsBefore = (json: unknown, value: unknown): boolean =>
    used === undefined ? isSame(json, value) : canonicalJson(json) === canonicalJson(normaliseArguments(value));
  const values: Record<string, unknown> = { ...ready.values };
  for (const key of new Set([...Object.keys(values), ...Object.keys(isRecord(before) ? before : {})])) {
    const [then, now] = [memberOf(before, key), values[key]];
    if (then === now || (then !== undefined && now !== undefined && isAsBefore(then, now))) continue;
    if (then === undefined || !isJson(now ?? null)) return undefined;
    values[key] = copyJson(then);
  }
  return { ...ready, input, values };
}

/**
 * The values that a transform changed, by parameter; `undefined` if there are none. Values that aren't an object as a whole have
 * the empty name.
 */
export function transformedArguments({ plan }: BoundTool, { input, used }: SettledArguments): Record<string, unknown> | undefined {
  if (used === undefined) return undefined;
  const byParameter = isRecord(used) ? (plan.byParameter?.(used) ?? used) : { "": used };
  const changed = Object.entries(byParameter).filter(([name, value]) => !Object.hasOwn(input, name) || !isSameText(input[name], value));
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** A date may be written in two ways. */
const isSameText = (one: unknown, other: unknown): boolean =>
  canonicalJson(one) === canonicalJson(other) ||
  (typeof one === "string" && typeof other === "string" && isoTime.test(other) && Date.parse(one) === Date.parse(other));

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean";
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isJson);
  return isPlain(value) && Object.values(value).every((member) => member === undefined || isJson(member));
}

const memberOf = (value: unknown, key: string | number): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as Record<string | number, unknown>)[key] : undefined;
