import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { documentOf } from "../../src/schema/accept-schema.js";
import { acceptSchema, type JsonSchema, validateToolArgs } from "../../src/schema/index.js";
import { fitsSchema } from "../../src/schema/faults/fault-walk.js";
import { WorkBudget } from "../../src/schema/work-budget.js";
import { describeData, readJson } from "../support/data.js";

interface SuiteGroup {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

interface Outcome {
  readonly name: string;
  readonly verdict: "right" | "wrong" | "refused";
}

/** Draft-07 files don't name their dialect: the folder does. */
const inDialect = (schema: unknown, dialect: string | undefined): unknown =>
  dialect !== undefined && typeof schema === "object" && schema !== null ? { $schema: dialect, ...schema } : schema;

/**
 * The schema taken in once for all its tests, or `undefined` where it is refused because it refers to another document: nothing
 * is ever fetched. Any other refusal is a fault of ours and goes on to be judged.
 */
function takeIn(schema: unknown): unknown {
  if (typeof schema === "boolean") return schema;
  try {
    return acceptSchema(schema);
  } catch (error) {
    return /outside of this schema|unknown dialect/.test(String(error)) ? undefined : schema;
  }
}

function runSuite(folder: string, dialect?: string): Outcome[] {
  const draft = basename(folder);
  return readdirSync(folder).flatMap((file) =>
    readJson<SuiteGroup[]>(join(folder, file)).flatMap((group) => {
      const schema = takeIn(inDialect(group.schema, dialect));
      return group.tests.map(({ description, data, valid }): Outcome => {
        const name = `${draft}/${file}: ${group.description}: ${description}`;
        return { name, verdict: schema === undefined ? "refused" : validateToolArgs(schema, data).ok === valid ? "right" : "wrong" };
      });
    }),
  );
}

/** The verdict of the walk alone, which judges values that are too large for the engine. */
function walks(schema: unknown, data: unknown): boolean {
  const accepted = acceptSchema(schema === true ? {} : schema === false ? { not: {} } : (schema as JsonSchema));
  return fitsSchema(accepted, documentOf(accepted), data, new WorkBudget());
}

/** Tests that the walk judges otherwise than the suite, where the schema is taken in. */
function missedByWalk(folder: string, dialect?: string): string[] {
  return readdirSync(folder).flatMap((file) =>
    readJson<SuiteGroup[]>(join(folder, file)).flatMap((group) => {
      const schema = takeIn(inDialect(group.schema, dialect));
      const judged = schema === undefined ? [] : group.tests;
      return judged
        .filter(({ data, valid }) => walks(schema, data) !== valid)
        .map(({ description }) => `${group.description}: ${description}`);
    }),
  );
}

const documented = readFileSync("docs/json-schema.md", "utf8");

describeData(["json-schema-test-suite/draft7", "json-schema-test-suite/draft2020-12"], (draft7, draft2020) => {
  const suites: readonly (readonly [string, Outcome[], number])[] = [
    ["draft-07", runSuite(draft7, "http://json-schema.org/draft-07/schema#"), 0.99],
    ["2020-12", runSuite(draft2020), 0.97],
  ];

  it.each(suites)("the %s suite passes, but for schemas that need a remote document", (_, outcomes, ratio) => {
    const judged = outcomes.filter(({ verdict }) => verdict !== "refused");
    const right = judged.filter(({ verdict }) => verdict === "right");
    expect(right.length / judged.length).toBeGreaterThanOrEqual(ratio);
  });

  it.each(suites)("few schemas of the %s suite need a remote document", (_, outcomes) => {
    expect(outcomes.filter(({ verdict }) => verdict === "refused").length / outcomes.length).toBeLessThan(0.06);
  });

  it("the walk alone passes as well, but for formats, which are asserted", () => {
    expect(missedByWalk(draft7, "http://json-schema.org/draft-07/schema#")).toEqual([]);
    expect(missedByWalk(draft2020).filter((name) => !name.includes("is only an annotation by default"))).toEqual([]);
  });

  // The lists were written for these files; another version of the suite has its own exceptions.
  const counts = /(\d+) tests of draft-07 and (\d+) of 2020-12/.exec(documented)?.slice(1).map(Number) ?? [];
  const isDocumented = suites.every(([, outcomes], index) => outcomes.length === counts[index]);
  const exceptions = suites.flatMap(([, outcomes]) => outcomes).filter(({ verdict }) => verdict !== "right");

  it("json-schema-exceptions.json lists every test that is missed or refused, and no other", () => {
    expect(counts).toHaveLength(2);
    if (!isDocumented) return;
    const listed = readJson<Record<string, string[]>>(join(__dirname, "json-schema-exceptions.json"));
    const named = (verdict: string) => exceptions.filter((outcome) => outcome.verdict === verdict).map(({ name }) => name);
    expect({ refused: named("refused").sort(), wrong: named("wrong").sort() }).toEqual({
      refused: listed.refused?.toSorted(),
      wrong: listed.wrong?.toSorted(),
    });
  });

  it("docs/json-schema.md counts them by file", () => {
    if (!isDocumented) return;
    const countsOf = new Map<string, number>();
    for (const { name, verdict } of exceptions) {
      const key = `${name.split(": ")[0]} ${verdict}`;
      countsOf.set(key, (countsOf.get(key) ?? 0) + 1);
    }
    // One file may have rows for several reasons.
    const shown = new Map<string, number>();
    for (const [, file, count, verdict] of documented.matchAll(/^\| `([^`]+)` \| (\d+) \| (wrong|refused) \|/gm)) {
      shown.set(`${file} ${verdict}`, (shown.get(`${file} ${verdict}`) ?? 0) + Number(count));
    }
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(countsOf));
  });
});
