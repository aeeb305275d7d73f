import { ToolDefinitionError } from "../tool-errors.js";
import { isDecoratorContext, writeSettings } from "../metadata.js";
import { isToolClass } from "../tool.js";
import type { Checked, Nothing } from "./compile-time/checked.js";
import type { AgentLike, ClassProblem, ToolLike } from "./compile-time/class-problem.js";
import { nameOfPlace, placeOf } from "./decorator-place.js";

/** A decorator for classes of the kind `Allowed`; on others, `Message` is the compiler's. */
export type ClassDecoratorFor<Allowed, Message extends string> = <Target, Context = Nothing>(
  target: Checked<Target, ClassProblem<Target, Context, Allowed, Message>>,
  context?: Context,
) => void;

/** A decorator for classes that extend `Tool`. */
export type ToolClassDecorator<Name extends string> = ClassDecoratorFor<ToolLike, `@${Name} is for a class that extends Tool`>;

/** A decorator for classes that extend `Tool` or `Agent`. */
export type ToolOrAgentClassDecorator<Name extends string> = ClassDecoratorFor<
  ToolLike | AgentLike,
  `@${Name} is for a class that extends Tool or Agent`
>;

/** Makes the class decorator `@name`, which writes `settings` for both dialects; `write` if it does that in another way. */
export function classDecorator(name: string, settings: object, write = writeSettings({ ...settings })) {
  if (isToolClass(settings) || holdsOwnClass(settings)) {
    throw new ToolDefinitionError(`@${name} got the class itself: write parentheses behind it, @${name}(...).`);
  }
  return (target: unknown, context?: unknown, third?: unknown): void => {
    if (
      typeof target === "function" &&
      (isDecoratorContext(context) ? context.kind === "class" : context === undefined && third === undefined)
    ) {
      write(target, context);
      return;
    }
    const place = placeOf(target, context, third);
    (place.metadata.mistakes ??= []).push(`@${name} on ${nameOfPlace(place)}: it is for the class. Move the decorator above the class.`);
  };
}

function holdsOwnClass(settings: object): boolean {
  for (const name in settings) if (isOwnClass(name, (settings as Record<string, unknown>)[name])) return true;
  return false;
}

/** Whether a setting is what a decorator without parentheses gets. Tools that a tool depends on may be classes. */
function isOwnClass(name: string, value: unknown): boolean {
  if (!Array.isArray(value)) return isToolClass(value) && name !== "dependsOn";
  const [first, second]: readonly unknown[] = value;
  return isToolClass(first) && (name !== "dependsOn" || isDecoratorContext(second));
}
