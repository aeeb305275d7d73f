import { dirname } from "node:path";
import type { UnpluginBuildContext } from "unplugin";

/** The context of a hook in Rollup and what has its plug-ins: Rolldown and Vite. Unplugin hands it on. */
interface RollupContext {
  resolve(specifier: string, importer: string): Promise<{ readonly id: string; readonly external?: boolean | string } | null>;
}

/**
 * The path of what an import means, as the bundler resolves it: with its aliases, endings and packages. Undefined if that is no file of
 * the bundle, or if the bundler doesn't resolve for plug-ins.
 */
export async function resolveImport(
  context: UnpluginBuildContext | (UnpluginBuildContext & RollupContext),
  specifier: string,
  importer: string,
): Promise<string | undefined> {
  const native = context.getNativeBuildContext?.();
  if (native === undefined) {
    const resolved = "resolve" in context ? await context.resolve(specifier, importer) : null;
    return resolved === null || resolved.external ? undefined : resolved.id;
  }
  if (native.framework === "esbuild") {
    const options = { importer, resolveDir: dirname(importer), kind: "import-statement" } as const;
    const { errors, external, namespace, path } = await native.build.resolve(specifier, options);
    return errors.length > 0 || external || namespace !== "file" ? undefined : path;
  }
  if (native.framework !== "webpack" && native.framework !== "rspack") return undefined;
  const resolve = native.loaderContext?.getResolve({ dependencyType: "esm" });
  // A module that isn't found is the bundler's to report.
  const path = await resolve?.(dirname(importer), specifier).catch(() => undefined);
  return typeof path === "string" ? path : undefined;
}
