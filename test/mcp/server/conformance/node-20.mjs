/** The suite is written for Node 22: a command of it that isn't used here takes `globSync` from `fs`, which Node 20 doesn't have. */
import * as fs from "node:fs";
import { register } from "node:module";

if (fs.globSync === undefined) {
  const shim = 'export * from "node:fs"; export const globSync = () => [];';
  const hooks = `export const resolve = (specifier, context, next) =>
    specifier === "fs" && context.parentURL?.includes("/conformance/")
      ? { url: "data:text/javascript," + encodeURIComponent(${JSON.stringify(shim)}), shortCircuit: true }
      : next(specifier, context);`;
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}
