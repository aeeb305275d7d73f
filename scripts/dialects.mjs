/**
 * npm run dialects
 *
 * Writes real tools (`tools.jsonl` in the data folder: test/data/README.md) for every provider and counts:
 * those that go out strict and not strict, the keywords that moved into descriptions, and the tools left out.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { providerDialects, wireSchema } from "../src/schema/internal.js";
import { dataFolder } from "../test/support/data-folder.cjs";

const file = resolve(dataFolder, "tools.jsonl");
if (!existsSync(file)) {
  process.stderr.write(`${file} not found. Set TOOLWRIGHT_DATA to the folder that holds tools.jsonl, or unset it.\n`);
  process.exit(1);
}
const schemas = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => JSON.parse(line).schema);

/** What `toProviderTools` chooses, and Anthropic's strict mode, which it chooses where it is asked to. */
const forms = providerDialects.flatMap((dialect) => {
  if (dialect === "anthropic")
    return [
      [dialect, dialect],
      [`${dialect}, strict asked for`, "anthropic-strict"],
    ];
  return [[dialect, dialect.startsWith("openai") ? "openai-strict" : dialect]];
});

const columns = (values) =>
  `${values[0].padEnd(28)}${values
    .slice(1, 5)
    .map((value) => String(value).padStart(11))
    .join("")}   ${values[5]}`;
console.log(columns(["dialect", "tools", "strict", "not strict", "left out", "moved into descriptions (tools)"]));
for (const [label, form] of forms) {
  const wires = schemas.map((schema) => wireSchema(schema, form));
  const written = wires.filter((wire) => !("refused" in wire));
  const moved = new Map();
  for (const keyword of written.flatMap((wire) => wire.moved)) moved.set(keyword, (moved.get(keyword) ?? 0) + 1);
  const told = [...moved].sort(([, left], [, right]) => right - left).map(([keyword, count]) => `${keyword} ${count}`);
  const strict = written.filter((wire) => wire.strict).length;
  console.log(columns([label, schemas.length, strict, written.length - strict, wires.length - written.length, told.join(", ")]));
}
