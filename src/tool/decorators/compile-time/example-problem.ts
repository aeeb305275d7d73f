import type { InputOf } from "../../tool-types.js";
import type { Show } from "./show-type.js";

/** What is wrong with `@example`, or `never`. Nothing is known if the parameters are those of `call`. */
export type ExampleProblem<Target, Arguments> = Target extends abstract new (
  // biome-ignore lint/suspicious/noExplicitAny: constructor parameters are services, of any type
  ...services: any[]
) => infer Instance
  ? InputOf<Instance> extends infer Input
    ? string extends keyof Input
      ? never
      : { readonly [Name in keyof Arguments]-?: ArgumentProblem<Input, Name, Arguments[Name]> }[keyof Arguments]
    : never
  : never;

type ArgumentProblem<Input, Name, Value> = Name extends keyof Input
  ? [Value] extends [Input[Name] | Date]
    ? never
    : `@example: ${Text<Name>} does not accept ${Show<Value>}`
  : `@example: the tool has no parameter "${Text<Name>}"`;

type Text<Name> = Name extends string ? Name : "a symbol";
