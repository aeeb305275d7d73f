import { readFile } from "node:fs/promises";
import { createUnplugin, type UnpluginBuildContext, type UnpluginInstance } from "unplugin";
import { resolveImport } from "./resolve-import.js";
import { type ImportedFile, readSourceFile, type SourceFile } from "./source-file.js";
import { writeTypes } from "./write-types.js";

/**
 * A plug-in for bundlers that emit no types, such as esbuild, Rollup, Vite, webpack and Rspack. It writes the types that `@required()` and
 * `@optional()` leave out, from the declared types of fields and parameters.
 *
 * `plugins: [explicitTypes.vite()]`, or `.rollup()`, `.rolldown()`, `.esbuild()`, `.webpack()`, `.rspack()`; before plug-ins that compile
 * TypeScript. A type that it can't write is left out, and the tool's definition reports it. See docs/toolchains.md.
 */
export const explicitTypes: UnpluginInstance<undefined, false> = createUnplugin(() => {
  const read = sourceReader();
  return {
    name: "toolwright-explicit-types",
    enforce: "pre",
    transform: {
      filter: { id: /\.[cm]?tsx?(?:\?|$)/, code: "toolwright" },
      handler(code, id) {
        return writeTypes(code, withoutQuery(id), importedFiles(this, read));
      },
    },
  };
});

/** Finds files as the bundler does, and has it watch them: what they declare is in the output. */
const importedFiles =
  (context: UnpluginBuildContext, read: (path: string) => Promise<SourceFile | undefined>): ImportedFile =>
  async (specifier, importer) => {
    const resolved = await resolveImport(context, specifier, importer.path);
    const path = resolved && withoutQuery(resolved);
    if (!path || !/(?<!\.d)\.[cm]?tsx?$/.test(path)) return undefined;
    context.addWatchFile(path);
    return read(path);
  };

const withoutQuery = (id: string): string => id.split("?", 1)[0] ?? id;

/** Reads a file whenever it is asked for, but parses it only if it changed. */
function sourceReader(): (path: string) => Promise<SourceFile | undefined> {
  const known = new Map<string, { readonly code: string; readonly file: SourceFile | undefined }>();
  return async (path) => {
    const code = await readFile(path, "utf8").catch(() => undefined);
    if (code === undefined) return undefined;
    const before = known.get(path);
    if (before?.code === code) return before.file;
    const file = readSourceFile(path, code);
    known.set(path, { code, file });
    return file;
  };
}
