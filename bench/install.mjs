/** What an install brings, counted in this checkout: the packages that npm would install, and the bytes of their files. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const readPackage = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Where Node finds a package from a folder: the nearest `node_modules` upwards. */
function folderOf(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) throw new Error(`The package ${name} is not installed. Run npm ci.`);
  }
}

function bytesOf(folder) {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    sum += entry.isDirectory() ? bytesOf(path) : statSync(path).size;
  }
  return sum;
}

function collect(folder, into) {
  if (into.has(folder)) return into;
  into.add(folder);
  for (const name of Object.keys(readPackage(folder).dependencies ?? {})) collect(folderOf(name, folder), into);
  return into;
}

const megabytes = (bytes) => bytes / 1e6;

/** Packages and megabytes of an install of published packages. */
export function installOf(names) {
  const folders = new Set();
  for (const name of names) collect(folderOf(name, root), folders);
  return { packages: folders.size, megabytes: megabytes([...folders].reduce((sum, folder) => sum + bytesOf(folder), 0)) };
}

/** Packages and megabytes of an install of this package, as `npm pack` would publish it. */
export function ownInstall() {
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root, encoding: "utf8" }));
  const dependencies = installOf(Object.keys(readPackage(root).dependencies ?? {}));
  return { packages: 1 + dependencies.packages, megabytes: megabytes(packed.unpackedSize) + dependencies.megabytes };
}

export const versionOf = (name) => readPackage(folderOf(name, root)).version;
