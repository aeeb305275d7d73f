/**
 * Bundles `typebox/schema`, which ships as ES modules only, into one CommonJS file for jest, which can't load such packages.
 * The package's build inlines it by itself (scripts/build.mjs).
 */
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { rollup } from "rollup";

const bundle = await rollup({
  input: "typebox/schema",
  plugins: [nodeResolve()],
  // The circular imports between typebox's own files are its business.
  onwarn: (warning, warn) => warning.code === "CIRCULAR_DEPENDENCY" || warn(warning),
});
await bundle.write({ file: "build/vendor/typebox-schema.cjs", format: "cjs", exports: "named" });
await bundle.close();
