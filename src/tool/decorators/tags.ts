import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** Domain tags, to filter by: `@tags("portfolio", "risk")`. */
export function tags(...tags: readonly string[]): ToolClassDecorator<"tags"> {
  return classDecorator("tags", { tags });
}
