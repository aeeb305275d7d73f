import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** Sets the tool's own version: `@version("1.2.0")`. An approval of one version isn't valid for another. See docs/02-tools.md. */
export function version(version: string): ToolClassDecorator<"version"> {
  return classDecorator("version", { version });
}
