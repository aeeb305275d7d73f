import type { ToolIsolation } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** Options of `@isolated`. See docs/26-isolation.md. */
export type IsolationOptions = Omit<ToolIsolation, "in">;

/**
 * Runs a tool's code in a worker thread or a child process, so that its timeout ends even an endless loop or a runaway regular
 * expression. In a process, a crash or a full memory is a failed call too.
 *
 * - `@isolated("worker", { module: import.meta.url })`; in CommonJS, `module: __filename`
 * - `@isolated("process", { module: import.meta.url, services: "./services.js", environment: ["DATABASE_URL"] })`
 *
 * The file must export the class; it is imported there again. Arguments, results, errors and the context's data cross as copies.
 * Workers need the package `piscina`. Isolation limits accidents: it is no sandbox. See docs/26-isolation.md.
 */
export function isolated(where: ToolIsolation["in"], options: IsolationOptions): ToolClassDecorator<"isolated"> {
  // Without parentheses, the class itself comes as the place.
  return classDecorator("isolated", { isolated: typeof where === "function" ? where : { ...options, in: where } });
}
