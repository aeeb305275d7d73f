import { isDecoratorContext, writeSettings } from "../metadata.js";
import { nameOfPlace, placeOf } from "./place.js";

/** A decorator for classes that extend `Tool`. */
export type ToolClassDecorator = (target: object, context?: unknown) => void;

/** Makes the class decorator `@name`, which writes `settings` for both dialects. */
export function classDecorator(name: string, settings: Readonly<Record<string, unknown>>): ToolClassDecorator {
  const write = writeSettings(settings);
  return (target: object, context?: unknown, third?: unknown) => {
    const isOnClass = isDecoratorContext(context)
      ? context.kind === "class"
      : typeof target === "function" && context === undefined && third === undefined;
    if (isOnClass) return write(target, context);
    const place = placeOf(name, target, context, third);
    place.metadata.mistakes.push(`@${name} on ${nameOfPlace(place)}: it is for the class. Move the decorator above the class.`);
  };
}
