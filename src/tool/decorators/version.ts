import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** The tool's own semantic version: `@version("1.2.0")`. */
export function version(version: string): ToolClassDecorator<"version"> {
  return classDecorator("version", { version });
}
