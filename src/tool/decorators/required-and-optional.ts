import type { TypeToken } from "../../schema/index.js";
import type { Checked, Nothing, ParameterWord } from "./compile-time/checked.js";
import type { CallParameterProblem, FieldProblem, TextProblem } from "./compile-time/parameter-problem.js";
import type { ParameterOptions } from "./parameter-options.js";
import { parameterDecorator } from "./parameter-decorator.js";

/**
 * Declares a parameter that the model must send.
 *
 * - on a field: `@required(String, "The city name") city!: string`
 * - with options: `@required([Integer], { description: "Ids of the rooms", minItems: 1 }) rooms!: number[]`
 * - with values: `@required({ enum: ["celsius", "fahrenheit"] }) units!: "celsius" | "fahrenheit"`
 * - on a parameter of `call`, name first: `call(@required("city", String) city: string, context: ToolContext)`
 *
 * Fields must be public; parameters of `call` need legacy decorators. Without a type, the one that the compiler emits is used
 * (legacy decorators with `emitDecoratorMetadata`). The compiler checks that type, enum, default and examples match the declared
 * type. See docs/02-tools.md.
 */
export const required = factory("required");

/**
 * Declares a parameter that the model may leave out. Give it a default, or declare the field with `?`.
 *
 * - `@optional(String, "Only rooms on this floor") floor?: string`
 * - `@optional({ enum: ["celsius", "fahrenheit"], default: "celsius" }) units!: "celsius" | "fahrenheit"`
 *
 * All other forms are those of `@required`. See docs/02-tools.md.
 */
export const optional = factory("optional");

/** The forms that are mistakes have decorators that can't be, which no function has. */
function factory<Word extends ParameterWord>(word: Word): ParameterDecoratorFactory<Word> {
  return ((...written: readonly unknown[]) => parameterDecorator(word, written)) as unknown as ParameterDecoratorFactory<Word>;
}

/** The forms of `@required` and `@optional`. */
export interface ParameterDecoratorFactory<Word extends ParameterWord> {
  /** @internal The word itself as a decorator (standard dialect). */
  (target: undefined, context: DecoratorContext): Mistake<`write parentheses behind it: @${Word}(String)`>;
  <const Type extends TypeToken, const Second extends string | AnyOptions>(
    type: Type,
    descriptionOrOptions?: Second,
  ): FieldDecorator<Word, WithType<Type, Second>>;
  <const Options extends AnyOptions>(options?: Options): FieldDecorator<Word, OptionsOf<Options>>;
  <const Text extends string>(descriptionOrName: Text): TextDecorator<Word, Text>;
  <const Name extends string, const Type extends TypeToken, const Third extends string | AnyOptions>(
    name: Name,
    type: Type,
    descriptionOrOptions?: Third,
  ): CallParameterDecorator<Word, Name, WithType<Type, Third>>;
  <const Name extends string, const Second extends string | AnyOptions>(
    name: Name,
    descriptionOrOptions: Second,
  ): CallParameterDecorator<Word, Name, OptionsOf<Second>>;
  /** @internal A mistake: the decorator says what to write. */
  (
    type: TypeToken,
    description: string,
    options: AnyOptions,
  ): MistakenDecorator<`write the description into the options: @${Word}(String, { description: ... })`>;
  /** @internal The word itself as a decorator (legacy), or anything else that has no type. */
  <const First extends object, const Second extends string | symbol>(
    first: First,
    second: Second,
    third?: unknown,
  ): Second extends keyof First
    ? Mistake<`write parentheses behind it: @${Word}(String)`>
    : MistakenDecorator<`write the type first, or the options alone: @${Word}({ description: ... })`>;
}

/** What no decorator may return. */
interface Mistake<Message extends string> {
  readonly mistake: Message;
}

/** Refuses each place with the message. */
type MistakenDecorator<Message extends string> = (target: unknown, key: Message, third?: unknown) => void;

/** A decorator for a public field. The compiler checks it against the field's type. */
export type FieldDecorator<Word extends ParameterWord, Options> = <Target, Key extends DecoratorKey, Third = Nothing>(
  target: Target,
  key: Checked<Key, FieldProblem<Word, Options, Target, Key, Third>>,
  third?: Third,
) => void;

/** A decorator for a parameter of `call`. The compiler checks it against the parameter's type. */
export type CallParameterDecorator<Word extends ParameterWord, Name extends string, Options> = <
  Target,
  Key extends DecoratorKey,
  Third = Nothing,
>(
  target: Target,
  key: Checked<Key, CallParameterProblem<Word, Name, Options, Target, Key, Third>>,
  third?: Third,
) => void;

/** A decorator whose text describes a field, or names a parameter of `call`. */
export type TextDecorator<Word extends ParameterWord, Text extends string> = <Target, Key extends DecoratorKey, Third = Nothing>(
  target: Target,
  key: Checked<Key, TextProblem<Word, Text, Target, Key, Third>>,
  third?: Third,
) => void;

/** What both dialects pass second: a member's key, a context, or (for a constructor) nothing. */
type DecoratorKey = string | symbol | undefined | DecoratorContext;

// Any object is let in here, so that the decorator's own check can name a wrong option in one line.
type AnyOptions = ParameterOptions | { readonly [option: string]: unknown };

// biome-ignore lint/complexity/noBannedTypes: options without members, which intersect with others to nothing more
type NoOptions = {};

// Type parameters above have no defaults, for an editor would complete those instead of the options: what isn't
// written arrives as its whole constraint.
type OptionsOf<Written> = [ParameterOptions] extends [Written] ? NoOptions : Written extends string ? NoOptions : Written;

type WithType<Type, Written> = OptionsOf<Written> & { readonly type: Type };
