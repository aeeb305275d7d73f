import { ToolDefinitionError } from "./tool-errors.js";

const shared = {
  id: "name",
  run: "execute",
  call: "execute",
  handler: "execute",
  invoke: "execute",
  func: "execute",
  needsApproval: "requiresConfirmation",
  consequence: "consequenceLevel",
} as const;

/** What other frameworks call the members of a tool, and what they are called in `createTool`. */
export const foreignToConfig = {
  ...shared,
  parameters: "inputSchema",
  schema: "inputSchema",
  input: "inputSchema",
  input_schema: "inputSchema",
  args: "inputSchema",
  output: "outputSchema",
  output_schema: "outputSchema",
  returns: "outputSchema",
} as const;

/** The same for `createToolDefinition`. */
export const foreignToUniversal = {
  ...shared,
  parameters: "schema",
  inputSchema: "schema",
  input: "schema",
  input_schema: "schema",
  args: "schema",
} as const;

/** Members with a type that no value has: the compiler's error is the type's text. */
export type ForeignNames<Owner extends string, Names extends Readonly<Record<string, string>>> = {
  /** @deprecated Belongs to another framework. */
  readonly [Name in keyof Names]?: `${Owner} has no ${Name & string}: write ${Names[Name]}`;
};

/** How messages begin. */
export function ownerOf(config: object, builder: string): string {
  const { name } = config as { readonly name?: unknown };
  return typeof name === "string" ? `${builder} "${name}"` : builder;
}

export function refuseForeignNames(config: object, names: Readonly<Record<string, string>>, builder: string): void {
  const foreign = Object.keys(config).find((key) => Object.hasOwn(names, key));
  if (foreign === undefined) return;
  throw new ToolDefinitionError(`${ownerOf(config, builder)}: there is nothing named "${foreign}". Write ${names[foreign]} in its place.`);
}
