import type { JsonSchema } from "../schema/index.js";
import type { ToolDefinition } from "../tool/index.js";

/** The texts of a tool that a search looks at. */
export interface ToolTexts {
  readonly name: string;
  readonly description: string;
  readonly tags: string;
  readonly parameters: string;
}

/** Characters of each text that are looked at: a server's description may be a book. */
const longestText = 4_000;

export function textsOf({ name, description, tags, parametersSchema }: ToolDefinition): ToolTexts {
  const parameters: string[] = [];
  addParameters(parametersSchema, parameters, longestText);
  return {
    name,
    description: description.slice(0, longestText),
    tags: tags.join(" ").slice(0, longestText),
    parameters: parameters.join(" "),
  };
}

/** Names, descriptions and listed values of parameters, also of nested ones. Returns the characters that are left. */
function addParameters(schema: JsonSchema, texts: string[], room: number): number {
  let left = room;
  const add = (text: unknown): void => {
    if (typeof text !== "string" || left <= 0) return;
    texts.push(text.slice(0, left));
    left -= text.length + 1;
  };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (left <= 0) break;
    add(name);
    if (typeof property === "boolean") continue;
    add(property.description);
    for (const value of property.enum ?? []) add(value);
    left = addParameters(property, texts, left);
    const { items } = property;
    if (typeof items === "object" && !Array.isArray(items)) left = addParameters(items as JsonSchema, texts, left);
  }
  return left;
}
