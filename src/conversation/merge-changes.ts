import type { ChangeEntry, ModelTool } from "../models/index.js";

/** Changes as one, with the same result; `undefined` if there are none. */
export function mergedChange(changes: readonly ChangeEntry[]): ChangeEntry | undefined {
  if (changes.length <= 1) return changes[0];
  const tools = new Map<string, ModelTool | undefined>();
  let instructions: string | null | undefined;
  for (const change of changes) {
    if (change.instructions !== undefined) ({ instructions } = change);
    for (const name of change.withdrawn ?? []) tools.set(name, undefined);
    for (const tool of change.offered ?? []) tools.set(tool.name, tool);
  }
  const offered = [...tools.values()].filter((tool) => tool !== undefined);
  const withdrawn = [...tools].flatMap(([name, tool]) => (tool === undefined ? [name] : []));
  return Object.freeze({
    role: "change",
    ...(instructions !== undefined && { instructions }),
    ...(offered.length > 0 && { offered }),
    ...(withdrawn.length > 0 && { withdrawn }),
  });
}
