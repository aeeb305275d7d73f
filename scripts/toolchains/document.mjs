/** The two parts of docs/toolchains.md that are made from the outcomes: the table, and how each toolchain is configured. */

/** The document with both parts written anew. */
export function writeOutcomes(text, cells, outcomes) {
  return replacePart(replacePart(text, "outcomes", outcomeTable(cells, outcomes)), "configurations", configurations(cells));
}

function replacePart(text, name, content) {
  const pattern = new RegExp(`(<!-- ${name}: .*? -->\n)[^]*?(<!-- end of ${name} -->)`);
  if (!pattern.test(text)) throw new Error(`docs/toolchains.md has no part "${name}".`);
  return text.replace(pattern, (_, start, end) => `${start}\n${content}\n\n${end}`);
}

/**
 * What works in every cell, then a table of the other checks, with one row per toolchain and dialect: the outcome is the same for ES
 * modules and CommonJS, or they get a row each.
 */
function outcomeTable(cells, outcomes) {
  const all = [...new Set(outcomes.filter(({ cell }) => !cell.broken).map(({ title }) => title))];
  const titles = all.filter((title) => cells.some((cell) => !cell.broken && cell.refused.includes(title)));
  const everywhere = all.filter((title) => !titles.includes(title));
  const rows = new Map();
  for (const cell of cells) {
    const marks = titles.map((title) => (cell.broken ? "-" : cell.refused.includes(title) ? "refused" : "works"));
    const key = [cell.toolchain, cell.dialect, ...marks].join(" | ");
    rows.set(key, [...(rows.get(key) ?? []), cell.modules]);
  }
  const head = ["toolchain", "decorators", ...titles, "modules"];
  const lines = [...rows].map(([key, modules]) => `| ${key} | ${modules.join(", ")} |`);
  const intro = ["Works in every row:", "", ...everywhere.map((title) => `* ${title}`), ""];
  return [...intro, `| ${head.join(" | ")} |`, `|${" --- |".repeat(head.length)}`, ...lines].join("\n");
}

/** The files and the command of each toolchain's first cell, for legacy decorators; toolchains with the same files share a heading. */
function configurations(cells) {
  const shown = cells.filter((cell, index) => cells.findIndex(({ toolchain }) => toolchain === cell.toolchain) === index);
  const groups = new Map();
  for (const cell of shown) {
    const files = JSON.stringify(cell.files);
    groups.set(files, [...(groups.get(files) ?? []), cell]);
  }
  return [...groups.values()].map(configuration).join("\n\n");
}

function configuration(cells) {
  const { "package.json": manifest, ...files } = cells[0].files;
  const commands = [...new Set(cells.map(({ run }) => `\`${run}\``))].join(", or ");
  const heading = `### ${cells.map(({ toolchain }) => toolchain).join(", ")}`;
  const type = `${commands}, with \`"type": "${JSON.parse(manifest).type}"\` in package.json.`;
  return [heading, type, ...Object.entries(files).map(codeBlock)].join("\n\n");
}

function codeBlock([name, text]) {
  // Lists of one short item on one line.
  const short = text.replace(/\[\n\s+("[^"\n]*")\n\s+\]/g, "[$1]");
  return `\`${name}\`:\n\n\`\`\`${/json|rc$/.test(name) ? "json" : "js"}\n${short}\`\`\``;
}

/** The document with the lines of these cells of `npm run everywhere`; those of other cells stay. */
export function writePlaces(text, outcomes, cells) {
  const known = /<!-- places: .*? -->\n([\s\S]*?)<!-- end of places -->/.exec(text)?.[1] ?? "";
  const kept = new Map([...known.matchAll(/^(?:\| |\* \*\*)(.+?)(?: \||\*\*:).*$/gm)].map(([line, name]) => [name, line]));
  for (const { cell, results } of outcomes) kept.set(cell.name, placeLine(cell, results));
  const lines = cells.flatMap(({ name }) => kept.get(name) ?? []);
  const rows = lines.filter((line) => line.startsWith("|"));
  const others = lines.filter((line) => line.startsWith("*"));
  const head = [`| place | ${wholeProgram.join(" | ")} |`, `| --- |${" --- |".repeat(wholeProgram.length)}`];
  return replacePart(text, "places", [...head, ...rows, "", ...others].join("\n"));
}

/** The checks of the places that run all of them. */
const wholeProgram = [
  "README program",
  "Timeouts",
  "A stream whose client leaves",
  "Nested DTO with @Type",
  "Injection by constructor",
  "MCP server alone",
  "Model by name",
  "Model by object",
];

/** `listed`: the cell is about checks of its own. */
function placeLine({ name, listed }, results) {
  const word = ({ refused }) => (refused === undefined ? "works" : "refused");
  const find = (title) => results.find((result) => result.title === title);
  if (!listed && wholeProgram.every(find)) return `| ${name} | ${wholeProgram.map((title) => word(find(title))).join(" | ")} |`;
  return `* **${name}**: ${results.map((result) => `${result.title} (${word(result)})`).join(", ")}`;
}
