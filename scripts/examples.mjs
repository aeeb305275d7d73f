/**
 * Runs every example as a reader would, with no arguments, key or network, and fails if one of them fails or prints
 * anything but what stands beside it (`examples/NAME.txt`; `--write` writes that), or a deprecation warning.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const env = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --pending-deprecation` };

const names = readdirSync("examples").filter((entry) => entry.endsWith(".ts"));
const failed = names.filter((entry) => {
  const name = entry.slice(0, -3);
  const settings = { encoding: "utf8", timeout: 120_000, env };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/example.mjs", name], settings);
  const expected = `examples/${name}.txt`;
  if (process.argv.includes("--write")) writeFileSync(expected, stdout);
  const differs = existsSync(expected) && readFileSync(expected, "utf8") !== stdout;
  const faults = [
    ...(status === 0 ? [] : [`${status ?? "no end within two minutes"}`]),
    ...(differs ? [`prints something else than ${expected}`] : []),
    ...(stderr.includes("DeprecationWarning") ? ["prints a deprecation warning"] : []),
  ];
  const verdict = faults.length === 0 ? "works" : `FAILED (${faults.join(", ")})`;
  console.log(`\n--- ${name}: ${verdict}\n${stdout}${stderr}`.trimEnd());
  return faults.length > 0;
});
console.log(`\n${names.length - failed.length} of ${names.length} examples work.`);
process.exit(failed.length === 0 && names.length > 0 ? 0 : 1);
