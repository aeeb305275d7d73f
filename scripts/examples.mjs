/**
 * Runs every example as a reader would, with no arguments, key or network, and fails if one of them fails or prints
 * anything but what stands beside it (`examples/NAME.txt`; `--write` writes that).
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const names = readdirSync("examples").filter((entry) => entry.endsWith(".ts"));
const failed = names.filter((entry) => {
  const name = entry.slice(0, -3);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/example.mjs", name], { encoding: "utf8", timeout: 120_000 });
  const expected = `examples/${name}.txt`;
  if (process.argv.includes("--write")) writeFileSync(expected, stdout);
  const differs = existsSync(expected) && readFileSync(expected, "utf8") !== stdout;
  const verdict =
    status === 0
      ? differs
        ? `FAILED (prints something else than ${expected})`
        : "works"
      : `FAILED (${status ?? "no end within two minutes"})`;
  console.log(`\n--- ${name}: ${verdict}\n${stdout}${stderr}`.trimEnd());
  return status !== 0 || differs;
});
console.log(`\n${names.length - failed.length} of ${names.length} examples work.`);
process.exit(failed.length === 0 && names.length > 0 ? 0 : 1);
