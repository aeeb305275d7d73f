import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** Sets tags to filter tools by: `@tags("portfolio", "risk")`. See docs/02-tools.md. */
export function tags(...tags: readonly string[]): ToolClassDecorator<"tags"> {
  return classDecorator("tags", { tags });
}
