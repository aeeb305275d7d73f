import type { ClassToken, TypeToken } from "../../schema/index.js";
import { ToolDefinitionError } from "../tool-errors.js";
import { type ClassTransforms, transformsOf } from "./class-transformer.js";
import { type PropertyRules, rulesOf } from "./class-validator.js";
import { holdsList, oneOrList } from "./one-or-list.js";
import type { PlainForm } from "./plain-form.js";

/** One field of a plain DTO, as class-validator, class-transformer and the compiler describe it. */
export interface DtoField {
  /** The key of the JSON object; `@Expose({ name })` makes it differ from the property's name. */
  readonly name: string;
  readonly property: string;
  readonly required: boolean;
  /** Whether `@Type` names the type: it speaks of what arrives. */
  readonly typed: boolean;
  /** From `@Type`, else the emitted type; the item type of a list. Absent if neither names one. */
  readonly token?: TypeToken;
  /** A list, of `token` if that is known. */
  readonly each: boolean;
  readonly rules?: PropertyRules;
}

/** Emitted types that say nothing of what JSON holds. */
const unspecific = new Set<unknown>([Object, Function, Array, Promise, Map, Set, WeakMap, WeakSet, Symbol, BigInt]);

const scalars = new Set<unknown>([Date, String, Number, Boolean]);

/**
 * The fields of a class that has class-validator or class-transformer decorators and none of Toolwright's, the
 * base's first; undefined if neither knows it. A field that no rule asks for is not required.
 *
 * `form`: how a result shows the class; without it the fields are those of arguments. Throws `ToolDefinitionError` for nested
 * objects whose class nothing names.
 */
export function dtoFieldsOf(constructor: ClassToken, form?: PlainForm): readonly DtoField[] | undefined {
  const rules = rulesOf(constructor);
  const transforms = transformsOf(constructor);
  if (rules === undefined && transforms === undefined) return undefined;
  const properties = new Set([...(rules?.keys() ?? []), ...(transforms?.properties ?? [])]);
  return [...properties].flatMap((property) => fieldOf(constructor, property, rules?.get(property), transforms, form));
}

function fieldOf(
  constructor: ClassToken,
  property: string,
  rules: PropertyRules | undefined,
  transforms: ClassTransforms | undefined,
  form: PlainForm | undefined,
): readonly DtoField[] {
  const name = form !== undefined ? form.nameOf(property) : transforms === undefined ? property : transforms.keyOf(property);
  if (name === undefined || !isAssignable(constructor, property)) return [];
  const design: unknown = Reflect.getMetadata("design:type", constructor.prototype, property);
  const typed = transforms?.typeOf(property)?.();
  // class-validator sees what arrived: a text, if its rules ask for one, whatever the compiler says.
  const emitted = typeof design === "function" && !unspecific.has(design) && !(design === Date && rules?.type === "string");
  const token = typed ?? (emitted ? design : undefined);
  const list = holdsList(design, rules);
  // Of a date or a number, one is by far the likeliest; of nested objects, either.
  if (typed !== undefined && list === undefined && !scalars.has(typed)) {
    throw new ToolDefinitionError(
      `${constructor.name}.${property}: ${oneOrList(typed)}. ` +
        `Add a rule: @ValidateNested({ each: true }) ${property} for a list, @ValidateNested() ${property} for one.`,
    );
  }
  const each = list === true;
  const obstacle = transforms?.obstacleOf(property, false);
  if (obstacle !== undefined) throw new ToolDefinitionError(`${constructor.name}.${property}: ${obstacle}`);
  if (rules?.nested === true && token === undefined) {
    throw new ToolDefinitionError(
      `${constructor.name}.${property}: @ValidateNested without a class, because ${each ? "the compiler doesn't emit the item type of a list" : "the compiler emitted none"}. ` +
        `Name it: @Type(() => ${each ? "Item" : "Nested"}) ${property}.` +
        // Unknown to this store: another one may know it.
        (transforms === undefined
          ? " If that is written there, it is of another copy of class-transformer, such as a bundle's: leave it out of the bundle."
          : ""),
    );
  }
  return [
    {
      name,
      property,
      required: rules?.required ?? false,
      typed: typed !== undefined,
      ...(token === undefined ? {} : { token: token as TypeToken }),
      each,
      ...(rules === undefined ? {} : { rules }),
    },
  ];
}

/** Methods and getters without a setter, which `@Expose` may decorate, take no input. */
function isAssignable(constructor: ClassToken, property: string): boolean {
  for (let prototype: object | null = constructor.prototype; prototype !== null; prototype = Object.getPrototypeOf(prototype)) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, property);
    if (descriptor !== undefined) return descriptor.set !== undefined;
  }
  return true;
}
