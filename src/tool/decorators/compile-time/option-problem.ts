import type { Show } from "./show-type.js";
import type { ParameterOptions } from "../parameter-options.js";
import type { KeywordOf } from "../../../schema/internal.js";

/** What is wrong with an option by itself. Nothing is known of an object that may have any members. */
export type OptionProblem<Options> = string extends keyof Options
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

export type ConstraintProblem<Declared, Options> = unknown extends Declared
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
