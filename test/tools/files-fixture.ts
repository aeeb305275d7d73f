import { execFileSync } from "node:child_process";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";

/** A folder for tools, `root`, between others that they must not touch. */
export interface FilesFixture {
  readonly root: string;
  /** The folder beside the root: nothing in it may ever change. */
  readonly out: string;
  /** Everything below `out`, with its content. */
  outside(): Record<string, string>;
  /** Everything below the root, with the content of its files. */
  inside(): Record<string, string>;
  remove(): void;
}

let madePipe: string | undefined;
afterAll(() => {
  if (madePipe !== undefined) rmSync(dirname(madePipe), { recursive: true });
});

/** One pipe for all fixtures, which have it by a hard link: only another program can make one. */
function pipe(): string {
  if (madePipe === undefined) {
    const folder = mkdtempSync(join(tmpdir(), "toolwright-pipe-"));
    madePipe = join(folder, "fifo");
    execFileSync("mkfifo", [madePipe]);
  }
  return madePipe;
}

/** The tree of files, links and pipes that the hostile paths are written for. */
export function filesFixture(): FilesFixture {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-files-")));
  const [root, out] = [join(top, "root"), join(top, "out")];
  for (const folder of [root, out, join(top, "root-evil"), join(root, "sub"), join(root, "swapdir")]) mkdirSync(folder);
  const files = {
    "out/secret.txt": "secret\n",
    "root-evil/x.txt": "evil\n",
    "root/a.txt": "in\n",
    "root/sub/b.txt": "below\n",
    "root/...": "x",
    "root/..hidden": "y",
    "root/a%2e": "z",
    "root/new\nline": "w",
    "root/swap.txt": "inside\n",
    "root/swapdir/b.txt": "inside\n",
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(top, name), content);
  const links = {
    dirlink: "../out",
    filelink: "../out/secret.txt",
    dangling: "/nonexistent/target",
    danglingout: "../out/new.txt",
    okl: "a.txt",
    loop1: "loop2",
    loop2: "loop1",
    env: "/proc/self/environ",
    zero: "/dev/zero",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  linkSync(join(out, "secret.txt"), join(root, "hard"));
  linkSync(pipe(), join(root, "fifo"));
  return {
    root,
    out,
    outside: () => everythingIn(out),
    inside: () => everythingIn(root),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

function everythingIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const contents = names.map((name) => join(folder, name)).map((path) => (lstatSync(path).isFile() ? readFileSync(path, "utf8") : ""));
  return Object.fromEntries(names.map((name, index) => [name, contents[index] ?? ""]));
}

/**
 * A signal that is never aborted. A tool checks its signal before each access to the disk; at the check with this number, `change`
 * runs. `checks` counts them.
 */
export function changedAtCheck(number: number, change: () => void): { readonly abortSignal: AbortSignal; readonly checks: () => number } {
  let checks = 0;
  const throwIfAborted = (): void => {
    if (checks++ === number) change();
  };
  // The tools under test read these members alone.
  return { abortSignal: { throwIfAborted, aborted: false } as unknown as AbortSignal, checks: () => checks };
}

/**
 * Exchanges a file or folder for a link to `target`, and back, as fast as another thread can, until it is stopped. For a moment
 * there is neither.
 */
export async function swapFor(path: string, target: string): Promise<{ stop(): Promise<unknown> }> {
  const worker = new Worker(
    `const { renameSync, rmSync, symlinkSync } = require("node:fs");
     const { path, target } = require("node:worker_threads").workerData;
     symlinkSync(target, path + ".link");
     const place = (name) => {
       for (;;) {
         try {
           return renameSync(name, path);
         } catch {
           // A write has made a folder of the name while there was none, and may be at work in it still.
           try {
             rmSync(path, { recursive: true, force: true });
           } catch {}
         }
       }
     };
     for (;;) {
       renameSync(path, path + ".real");
       place(path + ".link");
       renameSync(path, path + ".link");
       place(path + ".real");
     }`,
    { eval: true, workerData: { path, target } },
  );
  await new Promise((resolve) => worker.once("online", resolve));
  return { stop: () => worker.terminate() };
}
