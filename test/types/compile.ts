import { execFile } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../support/code-blocks.js";
import { declarationsOfSource, filesOf, foundOnce } from "../support/declarations.js";

/** A copy of this folder beside the types of src/, so that its imports of `../../../src` find these. */
export async function copyWithDeclarations(): Promise<string> {
  const copy = await declarationsOfSource();
  cpSync(__dirname, join(copy, "test/types"), { recursive: true });
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ extends: "../../../tsconfig.json" }));
  return copy;
}

/** One error of a compiler: `message` in full, its indented lines included. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Type-checks folders of the copy by their tsconfig.json; the errors of each in `test/types`, in the compiler's order. */
export async function compile(
  copy: string,
  compiler: "tsc6" | "tsc",
  folders: readonly string[],
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const projects = folders.map((folder) => `test/types/${folder}/tsconfig.json`);
  const inputs = filesOf("test/types").map((file) => `${file}\n${readFileSync(join(repositoryRoot, file), "utf8")}`);
  const found = await foundOnce(copy, [compiler, ...projects, ...inputs], () =>
    compiler === "tsc6"
      ? inOneProcess(copy, projects)
      : Promise.all(projects.map((project) => errorsOf(compiler, join(copy, project), copy))),
  );
  return new Map(folders.map((folder, index) => [folder, diagnosticsOf(found[index] ?? "")]));
}

const bin = join(repositoryRoot, "node_modules/.bin");

async function inOneProcess(copy: string, projects: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(__dirname, "check-projects.cjs"), ...projects], { cwd: copy });
  return JSON.parse(stdout) as readonly string[];
}

/** What a compiler prints of a project; empty if it finds nothing wrong. Paths in it are relative to `cwd`. */
export const errorsOf = (compiler: "tsc6" | "tsc", project: string, cwd: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(join(bin, compiler), ["-p", project, "--pretty", "false"], { cwd }, (error, stdout) => {
      // A compiler that finds errors exits with 1 or 2, which execFile takes for a failure.
      resolve(error === null ? "" : stdout || String(error));
    });
  });

function diagnosticsOf(output: string): readonly Diagnostic[] {
  return [...output.matchAll(/^(\S[^\n]*?)\((\d+),\d+\): error ([^\n]*(?:\n [^\n]*)*)/gm)].map(([, file = "", line, message = ""]) => ({
    file,
    line: Number(line),
    message,
  }));
}

/** A line that must not compile: the one below `// error: message`. */
export interface BadLine {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export function badLines(folder: string): readonly BadLine[] {
  const path = join(__dirname, folder, "bad.ts");
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((text, index) => {
      const message = /^\s*\/\/ error: (.*)$/.exec(text)?.[1];
      return message === undefined ? [] : [{ file: relative(repositoryRoot, path), line: index + 2, message }];
    });
}
