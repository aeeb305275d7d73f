import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** Lists the names of the tools that this one calls with `context.call`: `@dependsOn("get_prices")`. See docs/02-tools.md. */
export function dependsOn(...names: readonly string[]): ToolClassDecorator<"dependsOn"> {
  return classDecorator("dependsOn", { dependsOn: names });
}
