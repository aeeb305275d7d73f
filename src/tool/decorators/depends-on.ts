import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** The names of the tools that this one calls: `@dependsOn("get_prices")`. */
export function dependsOn(...names: readonly string[]): ToolClassDecorator<"dependsOn"> {
  return classDecorator("dependsOn", { dependsOn: names });
}
