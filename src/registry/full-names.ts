import { type ToolClass, ToolDefinitionError } from "../tool/index.js";
import { asToolList } from "../tool/internal.js";

// A slash separates the parts of a full name, and a star stands for the rest of one in an allow-list.
const illegal = /[/*\s\p{Cc}]/u;

/** One part of a full name: of an organisation, a toolbox, a tool. `owner` begins the error, `what` says whose name it is. */
export function checkPart(name: unknown, what: string, owner: string): string {
  if (typeof name !== "string" || name === "") {
    throw new ToolDefinitionError(
      `${owner}: the name of ${what} is ${name === "" ? "empty" : String(name)}. Give it one, such as "billing".`,
    );
  }
  if (illegal.test(name)) {
    throw new ToolDefinitionError(
      `${owner}: the name of ${what} is ${JSON.stringify(name)}, but may hold no slash, star or blank. ` +
        "Full names such as acme/billing/refund are put together from simple ones.",
    );
  }
  return name;
}

/** `billing`; in a workspace of no organisation also `acme/billing`, which takes the place of that organisation's toolbox. */
export function checkNamespace(namespace: unknown, organisation: string | undefined, owner: string): string {
  const parts = typeof namespace === "string" ? namespace.split("/") : [namespace];
  if (parts.length > 1 && organisation !== undefined) {
    throw new ToolDefinitionError(
      `${owner}: the toolbox "${String(namespace)}" names an organisation, but all of this workspace belongs to "${organisation}". ` +
        `Name it "${parts.at(-1)}".`,
    );
  }
  if (parts.length > 2) {
    throw new ToolDefinitionError(
      `${owner}: the toolbox "${String(namespace)}" has more parts than an organisation and a name: "acme/billing".`,
    );
  }
  for (const part of parts) checkPart(part, `the toolbox ${JSON.stringify(namespace)}`, owner);
  return parts.join("/");
}

/**
 * The tools by their simple names. Throws `ToolDefinitionError` for a value that is no tool, for a wrong definition or name, and
 * for a second tool of one name, also beside those that are `present`.
 */
export function toolsByName(
  tools: readonly ToolClass[],
  present: ReadonlyMap<string, ToolClass>,
  owner: string,
): ReadonlyMap<string, ToolClass> {
  const byName = new Map<string, ToolClass>();
  for (const tool of asToolList(tools, owner)) {
    const name = checkPart(tool.definition.name, tool.name, owner);
    const first = present.get(name) ?? byName.get(name);
    if (first !== undefined) {
      const both = first === tool ? `${first.name} is added twice` : `${first.name} and ${tool.name} are both named "${name}"`;
      throw new ToolDefinitionError(`${owner}: ${both}. Leave one out, rename it with @identifier("..."), or put it into another toolbox.`);
    }
    byName.set(name, tool);
  }
  return byName;
}
