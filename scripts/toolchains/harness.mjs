/** What `npm run toolchains` and `npm run everywhere` share: the packed library, installed as a user would, and programs run with it. */
import { exec, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const folder = mkdtempSync(join(tmpdir(), "toolwright-toolchains-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** For installs that outlive the run. */
export const cache = join(tmpdir(), "toolwright-everywhere");

/** Makes the tarball of what is in src/ now. With `built`, of what is in dist/. */
export function pack(built = false) {
  if (!built) run("npm", ["run", "--silent", "build"], ".");
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], ".");
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith(".tgz")),
  );
}

export function run(command, parameters, cwd) {
  const { status } = spawnSync(command, parameters, { cwd, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`${command} ${parameters.join(" ")} failed`);
}

/** Installs packages and the tarball; gives the folder. `node` names the version of Node that the folder's programs run on. */
export function install(name, tarball, { node, ...dependencies }, parent = folder) {
  const home = join(parent, name);
  const binary = node === undefined ? {} : { [nodePackage]: node };
  const manifest = JSON.stringify({ dependencies: { ...dependencies, ...binary, toolwright: `file:${tarball}` } });
  const manifestFile = join(home, "package.json");
  // Where the folder outlives the run, only the library is new.
  const isInstalled =
    existsSync(join(home, "installed")) && readFileSync(join(home, "installed"), "utf8") === manifest.replace(tarball, "");
  mkdirSync(home, { recursive: true });
  if (!isInstalled) {
    writeFileSync(manifestFile, manifest);
    const flags = [
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--no-package-lock",
      "--engine-strict=false",
      "--silent",
    ];
    run("npm", ["install", ...flags], home);
    writeFileSync(join(home, "installed"), manifest.replace(tarball, ""));
    return home;
  }
  const library = join(home, "node_modules/toolwright");
  rmSync(library, { recursive: true, force: true });
  mkdirSync(library);
  run("tar", ["-xzf", tarball, "--strip-components=1", "-C", library], home);
  return home;
}

const nodePackage = `node-${process.platform}-${process.arch}`;

/** Milliseconds. A build of Next takes minutes on a busy machine. */
const longestCommand = 600_000;

/** Runs a shell command with the tools of `home`; gives what it printed. */
export async function runWith(home, command, cwd) {
  const bins = [join(home, "node_modules", nodePackage, "bin"), join(home, "node_modules/.bin")];
  const env = { ...process.env, PATH: [...bins, process.env.PATH].join(delimiter), NODE_ENV: "", NEXT_TELEMETRY_DISABLED: "1" };
  const ended = await promisify(exec)(command, { cwd, env, timeout: longestCommand, maxBuffer: 1e8 }).catch((error) => error);
  const late = ended.killed ? `\nstopped after ${longestCommand / 1000} s: ${command}` : "";
  return `${ended.stdout}${ended.stderr}${late}`.trim();
}

/**
 * Compares the outcomes of a cell's checks with what it refuses: `[{ title, refused } or { title, failure }, ...]`. A cell that ran no
 * check has failed.
 */
export function judge(cell, output, found) {
  if (found.length === 0) return [{ title: cell.run, failure: `no check ran:\n${output}` }];
  const missing = cell.refused.filter((title) => !found.some((outcome) => outcome.title === title));
  return [
    ...found.map(({ title, refused, failed }) => {
      if (failed !== undefined) return { title, failure: failed };
      if ((refused !== undefined) === cell.refused.includes(title)) return { title, refused };
      return { title, failure: refused === undefined ? "works, but the cell says it is refused" : `refused unexpectedly: ${refused}` };
    }),
    ...missing.map((title) => ({ title, failure: "did not run" })),
  ];
}

export function print(heading, results) {
  const lines = results.map(({ title, refused, failure }) => {
    if (failure !== undefined) return `  FAILED   ${title}: ${failure}`;
    return refused === undefined ? `  works    ${title}` : `  refused  ${title}: ${refused}`;
  });
  console.log(`\n${heading}\n${lines.join("\n")}`);
}
