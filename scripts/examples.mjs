/** Runs every example as a reader would, with no arguments, key or network, and fails if one of them fails. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const names = readdirSync("examples").filter((entry) => entry.endsWith(".ts"));
const failed = names.filter((entry) => {
  const name = entry.slice(0, -3);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/example.mjs", name], { encoding: "utf8", timeout: 120_000 });
  console.log(
    `\n--- ${name}: ${status === 0 ? "works" : `FAILED (${status ?? "no end within two minutes"})`}\n${stdout}${stderr}`.trimEnd(),
  );
  return status !== 0;
});
console.log(`\n${names.length - failed.length} of ${names.length} examples work.`);
process.exit(failed.length === 0 && names.length > 0 ? 0 : 1);
