import type { JsonSchema } from "../../schema/index.js";
import { fieldSource } from "./field-source.js";
import { byLetters } from "./names.js";

/** A tool that is to be written as a class. */
export interface ToolToWrite {
  readonly name: string;
  readonly className: string;
  readonly description: string;
  readonly parametersSchema: JsonSchema;
  /** The class that it extends. */
  readonly base: string;
  /** Further decorators, such as `@http({ ... })`, and the body of the class behind its fields. */
  readonly decorators: readonly string[];
  readonly body: string;
  /** Import lines besides those of the package's main entry, and names from that entry. */
  readonly imports: readonly string[];
  readonly names: readonly string[];
}

/** Names of parameters that a class can't have as a field. */
const forbidden: ReadonlySet<string> = new Set(["call", "constructor", "__proto__"]);

/** Why a tool can't be written as a class; `undefined` if it can. */
export function obstacleTo({ properties = {} }: JsonSchema): string | undefined {
  const name = Object.keys(properties).find((one) => forbidden.has(one));
  return name === undefined ? undefined : `a class has no field named "${name}". Use createTool for this one.`;
}

/** The file of one tool. */
export function toolSource(tool: ToolToWrite): string {
  const { parametersSchema, name, className, description, base, decorators, body, imports, names } = tool;
  const {
    properties = {},
    required = [],
    $defs = {},
  } = parametersSchema as JsonSchema & { readonly $defs?: Readonly<Record<string, JsonSchema>> };
  const fields = Object.entries(properties).map(([own, schema]) =>
    fieldSource(own, schema as JsonSchema | boolean, required.includes(own), $defs),
  );
  const used = [...new Set(["description", "identifier", ...names, ...fields.flatMap((field) => field.imports)])];
  const members = [...fields.map(({ text }) => text), ...(body === "" ? [] : [body])].join("\n\n");
  return `import { ${used.sort(byLetters).join(", ")} } from "toolwright";
${imports.map((line) => `${line}\n`).join("")}
@identifier(${JSON.stringify(name)})
@description(${JSON.stringify(description)})
${decorators.map((line) => `${line}\n`).join("")}export class ${className} extends ${base} ${members === "" ? "{}" : `{\n${members}\n}`}
`;
}

/** The file that exports the tools together. */
export function indexSource(
  toolbox: string,
  constant: string,
  tools: readonly { readonly className: string; readonly file: string }[],
): string {
  const names = tools.map(({ className }) => `  ${className},\n`).join("");
  return `import type { Toolbox } from "toolwright";
${tools.map(({ className, file }) => `import { ${className} } from "./${file}.js";\n`).join("")}
/** Give it to an agent: \`@usesTools(${constant})\`. */
export const ${constant}: Toolbox = {
  name: ${JSON.stringify(toolbox)},
  tools: [
${names.replaceAll(/^/gm, "  ").trimEnd()}
  ],
};

export {
${names}};
`;
}
