import type { EnumValue, ListToken } from "./type-problem.js";
import type { AnyFunction } from "./type-predicates.js";
import type { Show } from "./show-type.js";
import type { ParameterWord } from "./checked.js";
import type { StandardSchema, TypeOf } from "../../../schema/index.js";

export type DefaultProblem<Declared, Options> = Options extends { readonly default: infer Value }
  ? [Value] extends [Written<Declared, Options>]
    ? never
    : Options extends { readonly enum: unknown }
      ? `: its default ${Show<Value>} is not one of its enum values`
      : `: its type does not accept the default ${Show<Value>}`
  : never;

export type ExamplesProblem<Declared, Options> = Options extends { readonly examples: readonly (infer Value)[] }
  ? [Value] extends [Written<Declared, Options>]
    ? never
    : `: its type does not accept the example ${Show<Exclude<Value, Written<Declared, Options>>>}`
  : never;

/** What default and examples may be: an enum value, or a value of the type as JSON or as the input of a Standard Schema. */
type Written<Declared, Options> = Options extends { readonly enum: infer Source }
  ? Options extends { readonly type: ListToken }
    ? readonly EnumValue<Source>[]
    : EnumValue<Source>
  : Options extends { readonly type: infer Token }
    ? AsJson<Token extends StandardSchema<infer Input, unknown> ? Input : TypeOf<Token>>
    : AsJson<Declared>;

type AsJson<Value> = Value extends Date
  ? Date | string
  : Value extends readonly (infer Item)[]
    ? readonly AsJson<Item>[]
    : Value extends object
      ? { readonly [Member in keyof Value as Value[Member] extends AnyFunction ? never : Member]?: AsJson<Value[Member]> }
      : Value;

export type OptionalProblem<Declared, Word extends ParameterWord, Options> = Word extends "required"
  ? never
  : Options extends { readonly default: unknown } | { readonly schema: { readonly default: unknown } }
    ? never
    : undefined extends Declared
      ? never
      : " is optional without default: declare it with '?', or write { default: ... }, which an initializer is not";

export type RequiredProblem<Word extends ParameterWord, Options> = Word extends "required"
  ? Options extends { readonly default: infer Value }
    ? [Value] extends [undefined]
      ? never
      : " has a default, which a required parameter never uses: write @optional"
    : never
  : never;
