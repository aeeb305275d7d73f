import type { ArgumentsOf, Data, FieldName, InputName, TellsFields } from "../../tool-types.js";
import type { Checked, Nothing } from "./checked.js";
import type { ClassProblem, ToolLike } from "./class-problem.js";
import type { ShowType } from "./show-type.js";

/**
 * The return type of `@requiresConfirmation`, `@exclusive`, `@concurrency` and `@rateLimit`: a decorator for classes that extend `Tool`. The compiler checks the
 * arguments that its function reads against the fields.
 */
export type RuleDecorator<Name extends string, Input> = <Target, Context = Nothing>(
  target: Checked<
    Target,
    ClassProblem<Target, Context, ToolLike, `@${Name} is for a class that extends Tool`> | RuleProblem<Target, Input, `@${Name}`>
  >,
  context?: Context,
) => void;

/** What is wrong with a rule that says which arguments it reads, or `never`. */
export type RuleProblem<Target, Input, Rule extends string> = string extends keyof Input
  ? never
  : Target extends abstract new (
        // biome-ignore lint/suspicious/noExplicitAny: constructor parameters are services, of any type
        ...services: any[]
      ) => infer Instance
    ? TellsFields<Instance> extends true
      ? { readonly [Name in keyof Input]-?: NameProblem<Instance, Input, Name, Rule> }[keyof Input]
      : never
    : never;

type NameProblem<Instance, Input, Name extends keyof Input, Rule extends string> =
  FieldName<Input, Name> extends never
    ? never
    : Name extends keyof ArgumentsOf<Instance>
      ? [ArgumentsOf<Instance>[Name]] extends [Data<Input[Name], Date>]
        ? never
        : `${Rule}: ${Text<Name>} arrives as ${ShowType<Exclude<ArgumentsOf<Instance>[Name], Data<Input[Name], Date>>>}${Hint<Instance, Input>}`
      : Name extends InputName<Instance>
        ? never
        : `${Rule}: the tool has no parameter "${Text<Name>}"`;

/** Who took the class itself for its arguments. */
type Hint<Instance, Input> = Instance extends Input ? ": write ArgumentsOf<...> around the class" : "";

type Text<Name> = Name extends string ? Name : "a symbol";
