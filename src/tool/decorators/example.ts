import { writeSettingInList } from "../metadata.js";
import type { ExampleProblem } from "./compile-time/example-problem.js";
import type { Checked, Nothing } from "./compile-time/checked.js";
import type { ClassProblem, ToolLike } from "./compile-time/class-problem.js";
import { classDecorator } from "./class-decorator.js";

/**
 * Shows the model the arguments of a typical call: `@example({ city: "Paris", units: "celsius" })`. Use it 1 to 5 times above a class.
 *
 * `input_examples`, other providers at the end of the description. Examples of a subclass replace those of its base. See docs/02-tools.md.
 */
export function example<const Arguments extends object>(values: Arguments): ExampleDecorator<Arguments> {
  return classDecorator("example", { values }, writeSettingInList("examples", values));
}

/** The return type of `@example`: a decorator for classes that extend `Tool`. The compiler compares the arguments with the fields. */
export type ExampleDecorator<Arguments> = <Target, Context = Nothing>(
  target: Checked<
    Target,
    ClassProblem<Target, Context, ToolLike, "@example is for a class that extends Tool"> | ExampleProblem<Target, Arguments>
  >,
  context?: Context,
) => void;
