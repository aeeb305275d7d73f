import type { JsonSchema, StandardSchema, TypeOf, TypeToken } from "../../schema/index.js";
import { nameOf } from "../definition/class-fields.js";
import { ToolDefinitionError } from "../tool-errors.js";
import type { MayReturn } from "../tool-types.js";
import { classDecorator } from "./class-decorator.js";
import type { AgentLike, ClassProblem, ToolLike } from "./compile-time/class-problem.js";
import type { Checked, Nothing } from "./compile-time/checked.js";

/** The type of a tool's result or of an agent's answer: a type token, or `{ schema }` with a JSON Schema. */
export type ReturnsOption = TypeToken | { readonly schema: JsonSchema };

/**
 * Declares the type of a tool's result, or of an agent's answer.
 *
 * - a tool: `@returns(Forecast) class WeatherTool extends Tool {}`. It becomes the output schema, and each result is checked.
 * - a tool, with a JSON Schema: `@returns({ schema: { type: "array", items: { type: "string" } } })`
 * - an agent: `@returns(Report) class ReportAgent extends Agent<Report> {}`. The model answers with JSON of this type, parsed into
 *   `response.output`.
 *
 * The compiler checks the return type of `call`, or the type argument of `Agent`. See docs/02-tools.md and docs/03-agents.md.
 */
export function returns<const Type extends ReturnsOption>(type: Type): ReturnsDecorator<Type> {
  if (type !== undefined) return classDecorator("returns", { returns: type });
  return (target) => {
    throw new ToolDefinitionError(
      `${nameOf(target)} @returns: its type is undefined here, as a circular import leaves it. Write an arrow function: @returns(() => TheClass).`,
    );
  };
}

/** The return type of `@returns`: a decorator for classes that extend `Tool` or `Agent`. The compiler checks their types. */
export type ReturnsDecorator<Type> = <Target, Context = Nothing>(
  target: Checked<
    Target,
    ClassProblem<Target, Context, ToolLike | AgentLike, "@returns is for a class that extends Tool or Agent"> | ReturnsProblem<Target, Type>
  >,
  context?: Context,
) => void;

// A raw schema has no type.
type ReturnsProblem<Target, Type> = Type extends TypeToken
  ? Target extends abstract new (
      // biome-ignore lint/suspicious/noExplicitAny: constructor parameters are services, of any type
      ...services: any[]
    ) => infer Instance
    ? Instance extends { generate(...parameters: never): Promise<infer Response> }
      ? AnswerProblem<Extract<Response, { readonly output: unknown; readonly text: string }>, TypeOf<Type>>
      : Instance extends { call(...parameters: never): infer Returned }
        ? ResultProblem<Returned, Type>
        : never
    : never
  : never;

type AnswerProblem<Response, Declared> = Response extends { readonly output: infer Output }
  ? [Declared] extends [Output]
    ? never
    : "@returns has another type than Agent<...>, by which response.output is typed"
  : never;

type ResultProblem<Returned, Type> =
  MayReturn<Returned, Type extends StandardSchema<infer Input, infer Output> ? Input | Output : TypeOf<Type>> extends true
    ? never
    : "@returns has another type than what call returns";
