import type { ClassToken } from "../../schema/index.js";
import { describeValue } from "../../schema/internal.js";
import { fieldsOfClass, nameOf } from "./class-fields.js";
import { ToolDefinitionError } from "../tool-errors.js";
import { type FieldShape, shapeOfField } from "./field-shape.js";
import { holderOf, ownMetadata, type ParameterMetadata } from "../metadata.js";
import type { ShapeBuilder } from "./shape-builder.js";

/** How the arguments of `call` are made up: by decorated parameters, and the context at one place at most. */
export interface CallSignature {
  readonly parameters: readonly FieldShape[];
  /** By position: a parameter's name, or `undefined` for the context. Empty if `call` takes the context alone or nothing. */
  readonly positions: readonly (string | undefined)[];
}

/** Of a tool without code. */
export const noSignature: CallSignature = Object.freeze({ parameters: [], positions: [] });

/**
 * Reads the signature from the class that has `call` of its own: overriding it drops inherited call parameters.
 * A parameter that nothing describes would reach the tool as the context, so all but one must be decorated.
 */
export function callSignatureOf(toolClass: ClassToken, builder: ShapeBuilder): CallSignature {
  const owner = nameOf(toolClass);
  const declaring = declaringClass(toolClass);
  if (declaring === undefined) throw new ToolDefinitionError(`${owner}: ${whyWithoutCall(toolClass)}`);
  const { call } = declaring.prototype as { readonly call: unknown };
  if (typeof call !== "function") {
    throw new ToolDefinitionError(`${nameOf(declaring)}.call: it must be a method, got ${describeValue(call)}. ${addCall}`);
  }
  const emitted = emittedTypes(declaring);
  const decorated = ownMetadata(holderOf(declaring)).callParameters ?? noParameters;
  let count = Math.max(call.length, emitted?.length ?? 0);
  for (const index of decorated.keys()) count = Math.max(count, index + 1);
  const positions: (string | undefined)[] = [];
  const parameters: FieldShape[] = [];
  let contexts = 0;
  for (let index = 0; index < count; index++) {
    const parameter = decorated.get(index);
    if (parameter === undefined) {
      contexts++;
      checkContextType(owner, index, emitted?.[index]);
      positions.push(undefined);
    } else {
      parameters.push(shapeOfField({ parameter, rules: undefined, dto: false }, `${owner}.call(${parameter.name})`, builder));
      positions.push(parameter.name);
    }
  }
  if (contexts > 1) {
    throw new ToolDefinitionError(
      `${owner}: call takes ${contexts} parameters that nothing describes; only one, the context, may be undecorated. ` +
        'Describe the others: call(@required("city", String) city: string, context: ToolContext), or make them fields. ' +
        "(Standard decorators have no parameter decorators: use fields there.)",
    );
  }
  // A parameter behind one with a default doesn't count in `length`, and not every compiler emits it.
  if (contexts === 0) positions.push(undefined);
  return { parameters, positions: decorated.size === 0 ? [] : positions };
}

const addCall = "Write: async call(context: ToolContext) { ... }.";

/** How methods that run a tool are named elsewhere. */
const foreignMethods = ["execute", "run", "invoke", "handle", "handler", "func", "_call"];

function whyWithoutCall(toolClass: ClassToken): string {
  // Every function has a call of its own.
  if ((toolClass.call as unknown) !== Function.prototype.call) return `its call is static. Take "static" away. ${addCall}`;
  const foreign = foreignMethods.find((name) => name in (toolClass.prototype as object));
  if (foreign !== undefined) return `it has the method ${foreign}, but no call method. Rename ${foreign} to call. ${addCall}`;
  return `the tool has no call method (a field that holds a function isn't one). ${addCall} If the client answers its calls, write @answeredBy("client") above the class.`;
}

const noParameters: ReadonlyMap<number, ParameterMetadata> = new Map();

function declaringClass(toolClass: ClassToken): ClassToken | undefined {
  for (
    let current = toolClass;
    typeof current === "function" && current.prototype;
    current = Object.getPrototypeOf(current) as ClassToken
  ) {
    if (Object.hasOwn(current.prototype, "call")) return current;
  }
  return undefined;
}

function emittedTypes(declaring: ClassToken): readonly unknown[] | undefined {
  const reflect = Reflect as { getOwnMetadata?: (key: string, target: object, property: string) => unknown };
  return reflect.getOwnMetadata?.("design:paramtypes", declaring.prototype as object, "call") as readonly unknown[] | undefined;
}

/** Emitted types that no context has. */
const neverContext: ReadonlySet<unknown> = new Set([String, Number, Boolean, BigInt, Symbol, Array, Date, Map, Set]);

/** An undecorated string, or an instance of a class with parameters or rules, is no context but a forgotten decorator. */
function checkContextType(owner: string, index: number, type: unknown): void {
  if (typeof type !== "function" || (!neverContext.has(type) && fieldsOfClass(type as ClassToken).length === 0)) return;
  throw new ToolDefinitionError(
    `${owner}: parameter ${index + 1} of call is a ${type.name} that nothing describes, so it would get the context. ` +
      `Describe it: call(@required("name", ${type.name}) ...).`,
  );
}
