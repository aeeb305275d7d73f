import type { ClassToken } from "../../schema/index.js";
import type { Checked, Nothing } from "./compile-time/checked.js";
import type { InputProblem } from "./compile-time/parameter-problem.js";
import { nameOfPlace, placeOf } from "./decorator-place.js";

/** Of a public instance field; the compiler checks that the field takes an instance of the class. */
export type InputDecorator<Instance> = <Target, Key extends string | symbol | undefined | DecoratorContext, Third = Nothing>(
  target: Target,
  key: Checked<Key, InputProblem<Instance, Target, Key, Third>>,
  third?: Third,
) => void;

/**
 * Makes the fields of an existing class the tool's parameters: `@input(CreateOrderDto) order!: CreateOrderDto`.
 *
 * The field receives an instance of the class. Rules of class-validator apply. See docs/02-tools.md.
 */
export function input<Instance extends object>(type: ClassToken<Instance>): InputDecorator<Instance> {
  return (target: unknown, keyOrContext: unknown, third?: unknown) => {
    const place = placeOf(target, keyOrContext, third);
    if (place.kind === "field") place.metadata.inputs = [...(place.metadata.inputs ?? []), { property: place.name, type }];
    else
      (place.metadata.mistakes ??= []).push(
        `@input on ${nameOfPlace(place)}: it is for a public instance field. Move the decorator to one.`,
      );
  };
}
