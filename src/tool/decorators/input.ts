import type { ClassToken } from "../../schema/index.js";
import { placeOf } from "./place.js";

/**
 * Makes the fields of an existing class the tool's parameters; the field gets its instance.
 *
 * ```ts
 * @input(CreateOrderDto)
 * order!: CreateOrderDto;
 * ```
 */
export function input(type: ClassToken): (target: unknown, keyOrContext: unknown, third?: unknown) => void {
  return (target, keyOrContext, third) => {
    const place = placeOf("input", target, keyOrContext, third);
    if (place.kind === "field") place.metadata.inputs.set(place.name, { property: place.name, type });
    else {
      const what = place.kind === "elsewhere" ? place.what : `parameter ${place.index + 1} of call`;
      place.metadata.mistakes.push(`@input on ${what}: it is for a public instance field. Move the decorator to one.`);
    }
  };
}
