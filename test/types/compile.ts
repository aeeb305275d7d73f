import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

const root = join(__dirname, "../..");

/** One error of a compiler: `message` in full, its indented lines included. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Type-checks a folder of this one by its tsconfig.json; the errors in `test/types`, in the compiler's order. */
export async function compile(compiler: "tsc6" | "tsc", folder: string): Promise<readonly Diagnostic[]> {
  const output = await new Promise<string>((resolve) => {
    // A compiler that finds errors exits with 1 or 2, which execFile takes for a failure.
    execFile(join(root, "node_modules/.bin", compiler), ["-p", join(__dirname, folder), "--pretty", "false"], { cwd: root }, (_, stdout) =>
      resolve(stdout),
    );
  });
  const diagnostics = [...output.matchAll(/^(\S[^\n]*?)\((\d+),\d+\): error ([^\n]*(?:\n [^\n]*)*)/gm)].map(
    ([, file = "", line, message = ""]) => ({ file, line: Number(line), message }),
  );
  return diagnostics.filter(({ file }) => file.startsWith("test/types/"));
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
      return message === undefined ? [] : [{ file: relative(root, path), line: index + 2, message }];
    });
}
