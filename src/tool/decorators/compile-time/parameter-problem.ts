import type { EnumProblem, TypeProblem, UntypedProblem } from "./type-problem.js";
import type { AnyFunction, IsAny } from "./type-predicates.js";
import type { ConstraintProblem, OptionProblem } from "./option-problem.js";
import type { CallParameter, Elsewhere, Field, MemberAt } from "./member-at.js";
import type { DefaultProblem, ExamplesProblem, OptionalProblem, RequiredProblem } from "./default-problem.js";
import type { ParameterWord } from "./checked.js";

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

type MethodProblem<Declared> = [Declared] extends [AnyFunction] ? " is a method: decorate a public instance field" : never;
