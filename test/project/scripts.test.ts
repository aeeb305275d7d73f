import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../support/code-blocks.js";

const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

it("an install of the package runs no script, so that npm has none to warn of, from a tarball neither", () => {
  expect(Object.keys(scripts).filter((name) => ["preinstall", "install", "postinstall", "prepare"].includes(name))).toEqual([]);
});

it("a fresh clone is built by its install, and a tarball holds what was built for it", () => {
  expect(scripts).toMatchObject({ postprepare: "npm run build", prepack: "npm run build" });
});
