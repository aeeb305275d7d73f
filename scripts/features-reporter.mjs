/**
 * A jest reporter that keeps the tables of docs/features.md: which test shows what a seed's heading or a public report promises. The
 * tests' own names say it: `seed 002, "Validation"`, `case 7: ...`. After a run of all tests it fails if the tables are not current;
 * `npm run features` makes it write them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { relative, sep } from "node:path";

const document = "docs/features.md";

export default class FeaturesReporter {
  #config;
  #write = process.env.FEATURES === "write";
  #error;

  constructor(config) {
    this.#config = config;
  }

  onRunComplete(_contexts, { testResults, numRuntimeErrorTestSuites }) {
    if (!this.#write && (numRuntimeErrorTestSuites > 0 || !isWholeRun(this.#config))) return;
    const current = readFileSync(document, "utf8");
    const wanted = pageOf(current, testResults.flatMap((suite) => testsOf(suite, this.#config.rootDir)).sort(compare));
    if (this.#write) writeFileSync(document, wanted);
    else if (wanted !== current) this.#error = new Error(`${document} is not current. Run \`npm run features\` and commit it.`);
  }

  getLastError() {
    return this.#error;
  }
}

const isWholeRun = ({ nonFlagArgs, onlyChanged, onlyFailures, shard, testNamePattern, testPathPatterns }) =>
  nonFlagArgs.length === 0 && !onlyChanged && !onlyFailures && !shard && !testNamePattern && testPathPatterns.patterns.length === 0;

/** The tests of a file by what they show: `{ kind: "seed", number: "002", heading: "Validation", name, file }`. */
function testsOf({ testFilePath, testResults }, root) {
  const file = relative(root, testFilePath).replaceAll(sep, "/");
  return testResults.flatMap(({ ancestorTitles, title }) => {
    const titles = [...ancestorTitles, title];
    const path = titles.join(" › ");
    // How many tests there are depends on the data that is present.
    const name = file.startsWith("test/data-driven/") ? "each item of its data" : titles.map(withoutLabels).filter(Boolean).join(" › ");
    const seeds = [...path.matchAll(/\bseed (\d{3})(?:, (?:"([^"]+)"(?: \d+)?|([\w -]+)))?(?=[:;,)]| ›|$)/g)];
    const cases = [...path.matchAll(/\bcases? (\d+)(?: and (\d+))?/g)].flatMap(([, ...numbers]) => numbers.filter(Boolean));
    return [
      ...seeds.map(([, number, quoted, plain]) => ({ kind: "seed", number, heading: quoted ?? plain ?? "", name, file })),
      ...[...new Set(cases)].map((number) => ({ kind: "case", number: number.padStart(3, "0"), heading: "", name, file })),
    ];
  });
}

/** A title without the label that it starts with: the table has columns for these. */
function withoutLabels(title) {
  const label = /^(?:(?:cases? \d+(?: and \d+| and the like)?|seed \d{3}(?:, "[^"]+"(?: \d+)?)?)(?:[,;:] ?|$))+/;
  return title.replace(label, "");
}

function compare(left, right) {
  const order = ({ kind, number, heading, file, name }) => [kind, number, heading, file, name];
  const others = order(right);
  for (const [index, part] of order(left).entries()) if (part !== others[index]) return part < others[index] ? -1 : 1;
  return 0;
}

function pageOf(page, tests) {
  const cell = (text) => text.replace(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;");
  const rowsOf = (wanted, row) => [...new Set(tests.filter(({ kind }) => kind === wanted).map(row))];
  const seeds = rowsOf("seed", ({ number, heading, name, file }) => `| ${number} | ${cell(heading)} | ${cell(name)} | ${file} |`);
  const cases = rowsOf("case", ({ number, name, file }) => `| ${Number(number)} | ${cell(name)} | ${file} |`);
  const withSeeds = between(page, "seeds", ["| seed | heading | what the test shows | test |", "| --- | --- | --- | --- |", ...seeds]);
  return between(withSeeds, "cases", ["| case | what the test shows | test |", "| --- | --- | --- |", ...cases]);
}

function between(page, marker, lines) {
  const [before, after] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  return `${page.slice(0, page.indexOf(before) + before.length)}\n\n${lines.join("\n")}\n\n${page.slice(page.indexOf(after))}`;
}
