/** Whether a value is the `prefix` of a stored conversation: a list of tools, and changes in the order of the history. */
export function isStoredPrefix(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { instructions, tools, changes = [] } = value;
  if (instructions !== undefined && typeof instructions !== "string") return false;
  return isToolList(tools) && Array.isArray(changes) && changes.every(isChange) && isInOrder(changes);
}

function isChange(value: unknown): value is { readonly after: number } {
  if (!isObject(value) || !Number.isSafeInteger(value.after)) return false;
  const { instructions = null, offered = [], withdrawn = [] } = value;
  if (instructions !== null && typeof instructions !== "string") return false;
  return isToolList(offered) && Array.isArray(withdrawn) && withdrawn.every((name) => typeof name === "string");
}

const isInOrder = (changes: readonly { readonly after: number }[]): boolean =>
  changes.every(({ after }, index) => after >= (changes[index - 1]?.after ?? 0));

/** Providers reject a request with two tools of one name. */
const isToolList = (value: unknown): boolean =>
  Array.isArray(value) && value.every(isTool) && new Set(value.map(({ name }) => name)).size === value.length;

function isTool(value: unknown): value is { readonly name: string } {
  if (!isObject(value)) return false;
  const { name, description = "", parameters = {} } = value;
  return typeof name === "string" && name !== "" && typeof description === "string" && isObject(parameters);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
