/**
 * npm run test:random [-- words for jest]
 *
 * Runs the test files that hold nothing but random inputs (`*.random.test.ts`), and those whose properties `npm test` tries with a tenth of
 * theirs, with all of them.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const files = readdirSync("test", { recursive: true })
  .map((name) => `test/${name.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".test.ts"))
  .filter((path) => path.endsWith(".random.test.ts") || readFileSync(path, "utf8").includes("/support/repeats.js"));
const { status } = spawnSync(process.execPath, ["node_modules/jest/bin/jest.js", ...files, ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, RANDOM_INPUTS: "all" },
});
process.exit(status ?? 1);
