import { type Node, parseSync, type Program } from "oxc-parser";

/** The tree of a TypeScript source; undefined if it has syntax errors, which the bundler reports better. */
export function parseTypeScript(file: string, code: string): Program | undefined {
  const lang = file.endsWith("x") ? "tsx" : "ts";
  const { program, errors } = parseSync(file, code, { lang, sourceType: "module" });
  return errors.length === 0 ? program : undefined;
}

/** The nodes right below this one, in the order of the source. */
export const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { readonly type?: unknown }).type === "string";
