/**
 * Runs one example: `npm run example quickstart -- --model openai/gpt-5-mini`. What follows the name goes to the example.
 * swc compiles it on the fly, with the type metadata that injection needs; it imports the package that the build made.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

const [name, ...rest] = process.argv.slice(2);
const file = `examples/${name}.ts`;
if (!name || !existsSync(file)) {
  const names = readdirSync("examples").filter((entry) => entry.endsWith(".ts"));
  console.error(`No example "${name ?? ""}". There are: ${names.map((entry) => entry.slice(0, -3)).join(", ")}.`);
  process.exit(1);
}
// Node 26 warns of the function by which swc registers itself; what an example starts inherits the options.
const options = ["--disable-warning=DEP0205", "--import", "@swc-node/register/esm-register"];
const { status } = spawnSync(process.execPath, [...options, file, ...rest], {
  stdio: "inherit",
  env: { ...process.env, SWC_NODE_PROJECT: "examples/tsconfig.json" },
});
process.exit(status ?? 1);
