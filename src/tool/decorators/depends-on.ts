import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** The names of the tools that this one calls: `@dependsOn("get_prices")` (seed 003, "Tool Definition"). */
export function dependsOn(...names: readonly string[]): ToolClassDecorator<"dependsOn"> {
  return classDecorator("dependsOn", { dependsOn: names });
}
