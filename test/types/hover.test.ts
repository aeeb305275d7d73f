import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../support/code-blocks.js";
import { declarationsOfSource, foundOnce } from "../support/declarations.js";
import { entrySources } from "../support/entries.js";
import { type Hover, hoversOf } from "./hovers.js";

const knownTags: readonly string[] = ["param", "throws", "internal", "deprecated"];

const { files } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as { readonly files: readonly string[] };

/** Each check with what to do about what it finds. */
const faults = {
  noText: ({ isMember, text }: Hover) => (isMember || text.trim() !== "" ? [] : ["Write a docstring."]),
  openFence: ({ text, tags }: Hover) =>
    [text, ...tags.map((tag) => tag.text)].some((part) => (part.match(/^\s*```/gm)?.length ?? 0) % 2 === 1)
      ? ["A code fence isn't closed. A line of it may begin with @."]
      : [],
  unknownTags: ({ tags }: Hover) =>
    tags
      .filter(({ name }) => !knownTags.includes(name))
      .map(({ name }) => `Editors read @${name} as a tag. Write the example inline, in backticks: \`@${name}(...)\`.`),
  citations: ({ text, tags }: Hover) =>
    [text, ...tags.map((tag) => tag.text)].flatMap((part) =>
      (part.match(/\bseeds? (?:\d|document)[^\n]*|\bDESIGN\b|\bFR-\d+/gi) ?? []).map(
        (cited) => `Users don't have "${cited}". State the reason.`,
      ),
    ),
  missingPages: ({ text }: Hover) =>
    (text.match(/\bdocs\/[\w./-]+\.md\b/g) ?? [])
      .filter((page) => !existsSync(join(repositoryRoot, page)) || files.includes(`!${page}`))
      .map((page) => `${page} isn't in the package.`),
  noPage: ({ isValue, text }: Hover) => (!isValue || /\bdocs\/[\w-]+\.md\b/.test(text) ? [] : ['Name its page: "See docs/02-tools.md."']),
};

const found = (hovers: readonly Hover[], check: (hover: Hover) => readonly string[]): readonly string[] =>
  hovers.flatMap((hover) => check(hover).map((fault) => `${hover.place} ${hover.name}: ${fault}`));

describe("what an editor shows for the names that the package exports", () => {
  let hovers: readonly Hover[];

  beforeAll(async () => {
    const modules = [...entrySources.values()].map((source) => join(repositoryRoot, `${source}.ts`));
    const inputs = ["hovers", ...modules, readFileSync(join(__dirname, "hovers.ts"), "utf8")];
    hovers = await foundOnce(await declarationsOfSource(), inputs, async () => hoversOf(modules));
    expect(hovers.length).toBeGreaterThan(1_500);
  }, 120_000);

  it.each([
    ["has a text for every name", faults.noText],
    ["closes every code fence", faults.openFence],
    ["has no invented tags", faults.unknownTags],
    ["cites only what users have", faults.citations],
    ["names only pages that are in the package", faults.missingPages],
    ["names a page of docs/ for every class, function and constant", faults.noPage],
  ])("%s", (_, check) => {
    expect(found(hovers, check)).toEqual([]);
  });
});

describe("the checks of hover texts find", () => {
  const comment = (...lines: readonly string[]): readonly Hover[] => {
    const file = join(repositoryRoot, "src/unsaved.ts");
    return hoversOf([file], { [file]: `${["/**", ...lines.map((line) => ` * ${line}`), " */"].join("\n")}\nexport const example = 1;\n` });
  };

  it.each([
    ["a name without a text", faults.noText, ["@internal"]],
    ["an open fence", faults.openFence, ["Text.", "```ts", "code();"]],
    ["an example whose line begins with @", faults.unknownTags, ["Text.", "```ts", "@tool()", "class Example {}", "```"]],
    ["the same example, because its fence is torn apart", faults.openFence, ["Text.", "```ts", "@tool()", "class Example {}", "```"]],
    ["a document that users don't have", faults.citations, ["Text (FR-025)."]],
    ["a page that doesn't exist", faults.missingPages, ["Text. See docs/00-nothing.md."]],
    ["a page that isn't published", faults.missingPages, ["Text. See docs/features.md."]],
    ["a constant without a page", faults.noPage, ["Text."]],
  ])("%s", (_, check, lines) => {
    expect(found(comment(...lines), check)).toHaveLength(1);
  });

  it("nothing in a text with an inline example and a page", () => {
    const hovers = comment("Text: `@tool({}) class Example {}`.", "", "- `@tool({})`", "", "See docs/02-tools.md.");
    expect(hovers).toHaveLength(1);
    expect(Object.values(faults).flatMap((check) => found(hovers, check))).toEqual([]);
  });
});
