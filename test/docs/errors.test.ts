import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../support/code-blocks.js";
import { entrySources } from "../support/entries.js";
import type { Met } from "./errors/example.js";
import { examples } from "./errors/examples.js";

/** A row of a table: `| name | when | what to do | for example |`. */
interface Row {
  readonly name: string;
  readonly message: string;
}

const rows = readFileSync(join(repositoryRoot, "docs/errors.md"), "utf8")
  .split("\n")
  .flatMap((line): Row[] => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
    const [, name = "", , , message = ""] = cells;
    return name.startsWith("`") ? [{ name: name.replaceAll("`", ""), message: message.replace(/^`(.*)`$/, "$1") }] : [];
  });

const allNames = rows.map(({ name }) => name);
const names = new Set(allNames);
/** `RunStateError` for `RunStateError: edited`. */
const heads = new Set([...names].map((name) => name.split(":")[0]));

const sources = readdirSync(join(repositoryRoot, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(join(repositoryRoot, "src", file), "utf8"));

/** What the first group of the pattern finds in the sources. */
const found = (pattern: RegExp): string[] => sources.flatMap((source) => [...source.matchAll(pattern)].map((match) => match[1] ?? ""));

const add = (name: string): string => `${name}: write its row in docs/errors.md, and its example in test/docs/errors/.`;

describe("docs/errors.md", () => {
  it("has a row for every error class that the package exports", () => {
    const exported = [...entrySources.values()].flatMap((source) => Object.values(require(join(repositoryRoot, source)) as object));
    const classes = exported.filter((value): value is new () => Error => typeof value === "function" && value.prototype instanceof Error);
    expect(classes.length).toBeGreaterThan(10);
    expect(classes.filter(({ name }) => !heads.has(name)).map(({ name }) => add(name))).toEqual([]);
  });

  it("has a row for every class of JavaScript's own that the package throws", () => {
    const thrown = found(/throw new (\w*Error)\(/g).filter((name) => name in globalThis);
    expect(thrown).toContain("TypeError");
    expect([...new Set(thrown)].filter((name) => !names.has(name)).map(add)).toEqual([]);
  });

  it("has a row for every place that warns the process", () => {
    const calls = found(/(?<!function )warnProcess\(((?:[^;]|;(?!\n))*?)\);\n/g);
    expect(calls).toHaveLength(found(/(?<!function )(warnProcess)\(/g).length);
    const warned = calls.map((argumentsOfCall) => /, "(\w+)"$/.exec(argumentsOfCall)?.[1] ?? "ToolwrightWarning");
    const count = (list: readonly string[], name: string): number => list.filter((other) => other === name).length;
    const unequal = [...new Set(warned)].filter((name) => count(warned, name) !== count(allNames, name));
    expect(unequal.map((name) => `${add(name)} It has ${count(allNames, name)} for ${count(warned, name)} places.`)).toEqual([]);
  });

  it("has no row that nothing gives", () => {
    const extra = [...names].filter((name) => !(name in examples));
    expect(extra.map((name) => `${name}: take its row away, or write its example in test/docs/errors/.`)).toEqual([]);
  });
});

describe("the messages in docs/errors.md are what somebody reads who meets", () => {
  it.each(Object.entries(examples))("%s", async (name, list) => {
    const shown = rows.filter((row) => row.name === name).map(({ message }) => message);
    const told: string[] = [];
    for (const example of list) {
      const met = await example();
      expect(namesOf(met)).toContain(name);
      told.push(met.message.replaceAll(/\s*\n\s*/g, " "));
    }
    expect(shown).toEqual(told.map((message, index) => asShown(message, shown[index])));
  });
});

/** The message as the page has it: cut at a …, if the page shows only its beginning. */
const asShown = (message: string, shown: string | undefined): string =>
  shown?.endsWith(" …") && message.startsWith(shown.slice(0, -2)) ? shown : message;

/** The names by which it may be known: its own, and those of the classes that it extends. */
function namesOf(met: Met): string[] {
  const found = [met.name];
  for (let type = Object.getPrototypeOf(met); type !== null; type = Object.getPrototypeOf(type)) found.push(type.constructor.name);
  return met.reason === undefined ? found : found.map((name) => `${name}: ${met.reason}`);
}
