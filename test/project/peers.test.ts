import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../support/code-blocks.js";
import { entrySources } from "../support/entries.js";

const page = readFileSync(join(repositoryRoot, "docs/01-getting-started.md"), "utf8");
const { peerDependencies } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
};
const rows = page.split("\n").filter((line) => line.startsWith("| `toolwright"));

describe("the table of the packages that each import needs", () => {
  it("names every optional package, in the versions that package.json allows", () => {
    const named = rows.flatMap((row) => [...row.matchAll(/`(@?[\w./-]+)@([^`]+)`/g)].map(([, name, range]) => [name, range]));
    expect(Object.fromEntries(named)).toEqual(peerDependencies);
  });

  it("names imports that there are", () => {
    const imports = rows.map((row) => /`([^`]+)`/.exec(row)?.[1]);
    expect(imports.length).toBeGreaterThan(0);
    expect([...entrySources.keys()]).toEqual(expect.arrayContaining(imports));
  });
});
