/**
 * npm run features
 *
 * Writes the tables of docs/features.md. Jest lists the names of the tests without running one, because no name matches `(?!)`. Only
 * files that mention a seed or a case are loaded; `npm test` compares the page with the names of all.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const mentions = /\b(?:seed|cases?) [\d$%]/;
const files = readdirSync("test", { recursive: true })
  .map((name) => `test/${name}`)
  .filter((name) => name.endsWith(".test.ts") && mentions.test(readFileSync(name, "utf8")));

const jest = ["node_modules/jest/bin/jest.js", "--silent", "--forceExit", "--testNamePattern=(?!)", "--runTestsByPath", ...files];
const { status } = spawnSync(process.execPath, jest, { env: { ...process.env, FEATURES: "write" }, stdio: "inherit" });
process.exit(status ?? 1);
