import { readFileSync } from "node:fs";

const { exports } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const modules = Object.values(exports).flatMap((conditions) => conditions.import?.default ?? []);

/** @type {Partial<import("typedoc").TypeDocOptions>} */
const options = {
  entryPoints: modules.map((module) => module.replace(/^\.\/dist\/esm\/(.*)\.js$/, "src/$1.ts")),
  tsconfig: "tsconfig.build.json",
  out: "docs/api",
  readme: "none",
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  // There is no public address yet that a line of source could be linked to.
  disableSources: true,
  // Types are checked by `npm run typecheck`; some types of signatures are no exports on purpose.
  skipErrorChecking: true,
  validation: { notExported: false, invalidLink: true, invalidPath: true },
};

export default options;
