import ts from "typescript";
import * as schemaRoom from "../../src/schema/index.js";
import * as toolRoom from "../../src/tool/index.js";

export type Dialect = "legacy" | "standard";

export const dialects: readonly Dialect[] = ["legacy", "standard"];

/**
 * Compiles TypeScript in one decorator dialect and runs it against the library's own modules; answers its exports.
 * Everything that the doors of the schema and tool rooms export is in scope.
 */
export function evaluate(dialect: Dialect, source: string, options: ts.CompilerOptions = {}): Record<string, any> {
  const library = { ...schemaRoom, ...toolRoom };
  const imports = `import { ${Object.keys(library).join(", ")} } from "toolwright";\n`;
  const { outputText } = ts.transpileModule(imports + source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: dialect === "legacy",
      emitDecoratorMetadata: dialect === "legacy",
      ...options,
    },
  });
  const exports = {};
  new Function("exports", "require", outputText)(exports, () => library);
  return exports;
}
