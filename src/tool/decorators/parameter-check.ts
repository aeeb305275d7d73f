import type { StandardSchema, TypeOf } from "../../schema/index.js";
import type { KeywordOf } from "../../schema/internal.js";
import type { CallParameter, Elsewhere, Field, MemberAt } from "./member-at.js";
import type { ParameterOptions } from "./parameter-options.js";

/** The word that the author wrote: `@required` or `@optional`. */
export type ParameterWord = "required" | "optional";

/** `Key` itself where nothing is wrong, else the message that it then fails to be: one line in the compiler's report. */
export type Checked<Key, Problem> = [Problem] extends [never] ? Key : Problem;

/** What is wrong with a decorator that names no parameter, or `never`. */
export type FieldProblem<Word extends ParameterWord, Options, Target, Key, Third> =
  MemberAt<Target, Key, Third> extends infer Member
    ? Member extends Field<infer Name extends string, infer Declared, infer Dialect>
      ? ValueProblem<Name, Declared, Word, Options, Dialect>
      : Member extends Elsewhere<infer Message>
        ? Message
        : `write the parameter's name first: @${Word}("name", String)`
    : never;

/** What is wrong with a decorator that names a parameter of `call`, or `never`. */
export type CallParameterProblem<Word extends ParameterWord, Name extends string, Options, Target, Key, Third> =
  MemberAt<Target, Key, Third> extends infer Member
    ? Member extends CallParameter<infer Declared>
      ? ValueProblem<Name, Declared, Word, Options, "legacy">
      : Member extends Elsewhere<infer Message>
        ? Message
        : Member extends Field<infer Field extends string, unknown, unknown>
          ? `${Field} is a field, which takes no name: @${Word}(String), @${Word}(String, { description: ... })`
          : never
    : never;

/** What is wrong with `@required("text")`: the description of a field, or the name of a parameter of `call`. */
export type TextProblem<Word extends ParameterWord, Text extends string, Target, Key, Third> = Third extends number
  ? CallParameterProblem<Word, Text, unknown, Target, Key, Third>
  : FieldProblem<Word, unknown, Target, Key, Third>;

/** What is wrong with `@input(Dto)`, or `never`. */
export type InputProblem<Instance, Target, Key, Third> =
  MemberAt<Target, Key, Third> extends infer Member
    ? Member extends Field<infer Name extends string, infer Declared, unknown>
      ? [Instance] extends [Declared]
        ? never
        : `${Name}: its declared type does not accept an instance of that class`
      : Member extends Elsewhere<infer Message>
        ? Message
        : "@input is for a field: decorate a public instance field"
    : never;

/** The first problem of a declared type with what was written about it. */
type ValueProblem<Name extends string, Declared, Word extends ParameterWord, Options, Dialect> = Name extends "call"
  ? "call is the method that runs the tool: give the parameter another name"
  : [OptionProblem<Options>] extends [never]
    ? IsAny<Declared> extends true
      ? never
      : Options extends { readonly schema: unknown }
        ? First<[OptionalProblem<Declared, Word, Options>, RequiredProblem<Word, Options>], Name>
        : First<
            [
              MethodProblem<Declared>,
              EnumProblem<Declared, Options>,
              TypeProblem<Declared, Word, Options>,
              DefaultProblem<Declared, Options>,
              ExamplesProblem<Declared, Options>,
              ConstraintProblem<Declared, Options>,
              UntypedProblem<Declared, Word, Options, Dialect>,
              OptionalProblem<Declared, Word, Options>,
              RequiredProblem<Word, Options>,
            ],
            Name
          >
    : `${Name}${OptionProblem<Options>}`;

type First<Problems, Name extends string> = Problems extends readonly [infer Problem, ...infer Rest]
  ? [Problem] extends [never]
    ? First<Rest, Name>
    : Problem extends string
      ? `${Name}${Problem}`
      : never
  : never;

/** What is wrong with an option by itself. Nothing is known of an object that may have any members. */
type OptionProblem<Options> = string extends keyof Options
  ? never
  : {
      readonly [Name in keyof Options & string]: Name extends keyof ParameterOptions
        ? [Options[Name]] extends [ParameterOptions[Name] | undefined]
          ? never
          : `: the option ${Name} does not take ${Show<Options[Name]>}`
        : IsEnumMember<Options[Name]> extends true
          ? ": an enum is an option: { enum: ... }"
          : `: unknown option "${Name}"${Suggestion<Name>}`;
    }[keyof Options & string];

/** A member of an enum isn't the plain text or number that it holds. */
type IsEnumMember<Value> = Value extends string
  ? [`${Value}`] extends [Value]
    ? false
    : true
  : Value extends number
    ? `${Value}` extends `${infer Plain extends number}`
      ? (<Any>() => Any extends Value ? 1 : 2) extends <Any>() => Any extends Plain ? 1 : 2
        ? false
        : true
      : false
    : false;

/** The options whose first letters, four at most, are those that were written; `min` and `max` are what others say. */
type Suggestion<Name extends string> = Name extends "min" | "max"
  ? `, did you mean ${Name}imum?`
  : Name extends `${infer One}${infer Two}${infer Three}${infer Four}${string}`
    ? Extract<keyof ParameterOptions, `${One}${Two}${Three}${Four}${string}`> extends infer Known extends string
      ? [Known] extends [never]
        ? ""
        : `, did you mean ${Known}?`
      : ""
    : "";

type MethodProblem<Declared> = [Declared] extends [AnyFunction] ? " is a method: decorate a public instance field" : never;

type EnumProblem<Declared, Options> = Options extends { readonly enum: infer Source }
  ? [EnumValue<Source>] extends [EnumTarget<Declared, Options>]
    ? Options extends { readonly type: infer Token }
      ? [EnumValue<Source>] extends [EnumTarget<TypeOf<Token>, Options>]
        ? never
        : `: its type does not have the enum value ${Show<Exclude<EnumValue<Source>, EnumTarget<TypeOf<Token>, Options>>>}`
      : never
    : IsWide<EnumValue<Source>> extends true
      ? `: write "as const" behind the values of enum, whose type is ${Show<EnumValue<Source>>}`
      : `: its declared type does not accept the enum value ${Show<Exclude<EnumValue<Source>, EnumTarget<Declared, Options>>>}`
  : never;

/** The values that an enum option allows: items of a list, members of an enum object. */
type EnumValue<Source> = Source extends readonly (infer Value)[] ? Value : Source[keyof Source];

/** What an enum option limits: beside the type of a list, its items; else the value itself. */
type EnumTarget<Value, Options> = Options extends { readonly type: ListToken }
  ? NonNullable<Value> extends readonly (infer Item)[]
    ? Item
    : never
  : Value;

type ListToken = ArrayConstructor | readonly unknown[];

type TypeProblem<Declared, Word extends ParameterWord, Options> = Options extends { readonly enum: unknown }
  ? never
  : Options extends { readonly type: infer Token }
    ? IsAny<Token> extends true
      ? never
      : [TypeOf<Token>] extends [Declared]
        ? never
        : Token extends StringConstructor | NumberConstructor
          ? IsLiteral<NonNullable<Declared>> extends true
            ? ListAllowedValues
            : DoesNotAccept<TypeOf<Token>, Declared>
          : [Token, NonNullable<Declared>] extends [ArrayConstructor, readonly unknown[]]
            ? GiveItemType<Word>
            : [Token, NonNullable<Declared>] extends [ObjectConstructor, object]
              ? ": Object says nothing of its members, give a class with decorated fields, or mapOf(...)"
              : DoesNotAccept<TypeOf<Token>, Declared>
    : never;

type ListAllowedValues = ": list the allowed values with enum";

type DoesNotAccept<Given, Declared> = `: its declared type does not accept ${ShowType<Exclude<Given, Declared>>}`;

/** A type in a message: the compiler can't print the names of classes. */
export type ShowType<Type> = Type extends Date
  ? "a Date"
  : Type extends readonly unknown[]
    ? "an array of that type"
    : Type extends object
      ? "an object of that type"
      : Show<Type>;

type GiveItemType<Word extends ParameterWord> = `: give the item type, e.g. @${Word}([String])`;

type DefaultProblem<Declared, Options> = Options extends { readonly default: infer Value }
  ? [Value] extends [Written<Declared, Options>]
    ? never
    : Options extends { readonly enum: unknown }
      ? `: its default ${Show<Value>} is not one of its enum values`
      : `: its type does not accept the default ${Show<Value>}`
  : never;

type ExamplesProblem<Declared, Options> = Options extends { readonly examples: readonly (infer Value)[] }
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

type ConstraintProblem<Declared, Options> = unknown extends Declared
  ? never
  :
      | Misplaced<Options, KeywordOf<"number">, Declared, number, "numbers">
      // A `Date` and other types that aren't strings take a format too.
      | Misplaced<Options, Exclude<KeywordOf<"string">, "format">, Declared, string, "strings">
      | Misplaced<Options, KeywordOf<"array">, Declared, readonly unknown[], "arrays">
      | Misplaced<Options, KeywordOf<"object">, Declared, object, "objects">;

type Misplaced<Options, Keyword extends string, Declared, For, Kind extends string> = [Extract<Declared, For>] extends [never]
  ? Given<Options, Keyword & keyof Options> extends infer Used extends string
    ? `: ${Used} is for ${Kind}`
    : never
  : never;

/** Those of the options that are surely there: a variable of type `ParameterOptions` may hold any. */
type Given<Options, Name extends keyof Options> = Name extends unknown ? (undefined extends Options[Name] ? never : Name) : never;

/** No type was written: what can be known without it. */
type UntypedProblem<Declared, Word extends ParameterWord, Options, Dialect> = Options extends
  | { readonly type: unknown }
  | { readonly enum: unknown }
  ? never
  : IsLiteral<NonNullable<Declared>> extends true
    ? ListAllowedValues
    : Options extends { readonly default: string | number | boolean }
      ? never
      : Dialect extends "standard"
        ? `: give its type, e.g. @${Word}(String) (standard decorators see no types)`
        : [NonNullable<Declared>] extends [readonly unknown[]]
          ? GiveItemType<Word>
          : IsNullable<Declared> extends true
            ? `: give its type, e.g. @${Word}(String) (a union with null shows none at run time)`
            : IsUnion<Exclude<Declared, undefined>> extends true
              ? `: give its type, e.g. @${Word}(anyOf(String, Number)) (a union shows none at run time)`
              : never;

type OptionalProblem<Declared, Word extends ParameterWord, Options> = Word extends "required"
  ? never
  : Options extends { readonly default: unknown } | { readonly schema: { readonly default: unknown } }
    ? never
    : undefined extends Declared
      ? never
      : " is optional without default: declare it with '?', or write { default: ... }, which an initializer is not";

type RequiredProblem<Word extends ParameterWord, Options> = Word extends "required"
  ? Options extends { readonly default: infer Value }
    ? [Value] extends [undefined]
      ? never
      : " has a default, which a required parameter never uses: write @optional"
    : never
  : never;

// biome-ignore lint/suspicious/noExplicitAny: any function at all
type AnyFunction = (...parameters: any[]) => unknown;

type IsAny<Value> = 0 extends 1 & Value ? true : false;

/** Without strict null checks, null is in every type and says nothing. */
type IsNullable<Value> = null extends string ? false : null extends Value ? true : false;

type IsUnion<Value, All = Value> = [Value] extends [boolean] ? false : Value extends All ? ([All] extends [Value] ? false : true) : never;

/** A literal or a union of them, of which only `String` or `Number` is left at run time. */
type IsLiteral<Value> = [Value] extends [string] | [number]
  ? IsWide<Value> extends true
    ? false
    : // A template literal type or a branded string has no list of values: as a key, it makes an index signature.
      Record<never, never> extends Record<Value & PropertyKey, unknown>
      ? false
      : true
  : false;

type IsWide<Value> = string extends Value ? true : number extends Value ? true : false;

/** A value in a message. */
type Show<Value> = [Value] extends [never]
  ? "never"
  : Value extends string
    ? string extends Value
      ? "a string"
      : `"${Value}"`
    : Value extends number
      ? number extends Value
        ? "a number"
        : `${Value}`
      : Value extends boolean | null | undefined
        ? `${Value}`
        : Value extends readonly unknown[]
          ? "array"
          : Value extends object
            ? "object"
            : "a value of unknown type";
