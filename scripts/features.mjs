/**
 * Makes the tables of docs/features.md: which test shows what a seed's heading or a public report promises. The tests'
 * own names say it: `seed 002, "Validation"`, `case 7: ...`. `--write` writes the file; otherwise it is compared.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const document = "docs/features.md";
const suites = readdirSync("test", { recursive: true })
  .map((name) => `test/${name}`)
  .filter((name) => name.endsWith(".test.ts"))
  .sort();

const seeds = [];
const cases = [];
for (const file of suites) {
  let heading;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const opened = /^\s*describe\((["'`])(.*)\1,/.exec(line);
    if (opened) heading = /^seed (\d{3}), "(.*)"$/.exec(opened[2]);
    const named = /^\s*(?:it|test)(?:\.each\(.*\))?\((["'`])(.*)\1,/.exec(line);
    if (!named) continue;
    const name = named[2];
    const own = /^seed (\d{3}), "([^"]*)": (.*)$/.exec(name);
    if (own) seeds.push({ seed: own[1], heading: own[2], name: own[3], file });
    else if (heading) seeds.push({ seed: heading[1], heading: heading[2], name, file });
    const numbered = /(?:^|\()case (\d+)(?:\)|: )/.exec(name);
    if (numbered) cases.push({ number: Number(numbered[1]), name: name.replace(/^case \d+: /, ""), file });
  }
}
const cell = (text) => text.replaceAll("|", "\\|");
const byHeading = (left, right) => left.seed.localeCompare(right.seed) || left.heading.localeCompare(right.heading);
const seedTable = [
  "| seed | heading | what the test shows | test |",
  "| --- | --- | --- | --- |",
  ...seeds.sort(byHeading).map((row) => `| ${row.seed} | ${cell(row.heading)} | ${cell(row.name)} | ${row.file} |`),
];
const caseTable = [
  "| case | what the test shows | test |",
  "| --- | --- | --- |",
  ...cases.sort((left, right) => left.number - right.number).map((row) => `| ${row.number} | ${cell(row.name)} | ${row.file} |`),
];

const current = readFileSync(document, "utf8");
const between = (text, marker, lines) => {
  const [before, after] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  const start = text.indexOf(before) + before.length;
  return `${text.slice(0, start)}\n\n${lines.join("\n")}\n\n${text.slice(text.indexOf(after))}`;
};
const wanted = between(between(current, "seeds", seedTable), "cases", caseTable);
if (process.argv.includes("--write")) writeFileSync(document, wanted);
else if (wanted !== current) {
  console.error(`${document} is not current: node scripts/features.mjs --write`);
  process.exit(1);
}
