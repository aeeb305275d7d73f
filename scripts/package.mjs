/**
 * npm run package
 *
 * Packs what is in dist/ and docs/ as npm would, and checks the tarball: its manifest (publint), and that every entry's types resolve
 * from ES modules, CommonJS, bundlers and old module resolution (Are The Types Wrong). Build first. Needs no network.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/**
 * What publint says of `#peers/*` on purpose. Bundlers follow a `require` in a `try` of CommonJS only, so that is what they get by their
 * condition `module`. And Node reads the "imports" of the nearest package.json, in a nested folder too (Node.js, "Packages").
 */
const intended = ({ code, path, args }) =>
  (code === "IMPORTS_MODULE_SHOULD_BE_ESM" && path[1].startsWith("#peers/")) ||
  (code === "NESTED_PACKAGE_JSON_FIELD_IGNORED" && JSON.stringify(args).includes('"imports"'));

const folder = mkdtempSync(join(tmpdir(), "toolwright-package-"));
try {
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], { encoding: "utf8", stdio: "pipe" }),
  );
  const tarball = join(folder, packed.filename);
  const { messages, pkg } = await publint({ pack: { tarball: readFileSync(tarball).buffer }, strict: true });
  const faults = messages.filter((message) => !intended(message));
  for (const fault of faults) console.error(`publint: ${formatMessage(fault, pkg)}`);
  if (faults.length > 0) process.exitCode = 1;
  check("attw", [tarball, "--no-definitely-typed", "--no-color", "--no-emoji", "--format", "ascii"]);
  console.log(`${packed.filename}: ${packed.files.length} files, ${(packed.size / 1e6).toFixed(2)} MB packed. Manifest and types hold.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Prints what a tool found only if it found something: attw has a paragraph for each entry. */
function check(tool, parameters) {
  const { status, stdout, stderr } = spawnSync(join("node_modules/.bin", tool), parameters, { encoding: "utf8" });
  if (status === 0) return;
  console.error(`${stdout}${stderr}\n${tool} rejects the package.`);
  process.exitCode = 1;
}
