import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** Domain tags, to filter by: `@tags("portfolio", "risk")` (seed 003, "Tool Definition"). */
export function tags(...tags: readonly string[]): ToolClassDecorator<"tags"> {
  return classDecorator("tags", { tags });
}
