/**
 * npm run features
 *
 * Writes the tables of docs/features.md from the names of all tests. Jest lists them without running one: no name matches `(?!)`.
 */
import { spawnSync } from "node:child_process";

const { status } = spawnSync(process.execPath, ["node_modules/jest/bin/jest.js", "--silent", "--testNamePattern=(?!)"], {
  env: { ...process.env, FEATURES: "write" },
  stdio: "inherit",
});
process.exit(status ?? 1);
