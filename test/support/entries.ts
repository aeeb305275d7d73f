import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./code-blocks.js";

const { exports: entries } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly import: { readonly default: string } }>>;
};

/** The sources of what users import, by their names: that of `toolwright/testing` is `src/testing/index`, without an ending. */
export const entrySources: ReadonlyMap<string, string> = new Map(
  Object.entries(entries).flatMap(([entry, target]) =>
    typeof target === "string"
      ? []
      : [[`toolwright${entry.slice(1)}`, `src/${target.import.default.replace("./dist/esm/", "").replace(/\.js$/, "")}`]],
  ),
);
