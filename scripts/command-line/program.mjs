/** Programs of the steps of `npm run command-line`, run to their end. */
import { spawnSync } from "node:child_process";

/** Throws with the output if the program ends otherwise. Returns what it printed to standard output, or to both. */
export function run(program, parameters, cwd, { exitCode = 0, input = "", both = false } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, { cwd, encoding: "utf8", input, timeout: 300_000 });
  if (status === exitCode) return both ? `${stdout}${stderr}` : stdout;
  throw new Error(`${program} ${parameters.join(" ")} ended with ${status} in place of ${exitCode}: ${error ?? ""}\n${stdout}\n${stderr}`);
}

export function expect(text, part, what) {
  if (!text.includes(part)) throw new Error(`${what} lacks ${JSON.stringify(part)}:\n${text}`);
}
