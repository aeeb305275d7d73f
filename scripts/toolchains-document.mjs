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

/** One row per toolchain and dialect: the outcome is the same for ES modules and CommonJS, or they get a row each. */
function outcomeTable(cells, outcomes) {
  const titles = [...new Set(outcomes.filter(({ cell }) => !cell.broken).map(({ title }) => title))];
  const rows = new Map();
  for (const cell of cells) {
    const marks = titles.map((title) => (cell.broken ? "-" : cell.refused.includes(title) ? "refused" : "works"));
    const key = [cell.toolchain, cell.dialect, ...marks].join(" | ");
    rows.set(key, [...(rows.get(key) ?? []), cell.modules]);
  }
  const head = ["toolchain", "decorators", ...titles, "modules"];
  const lines = [...rows].map(([key, modules]) => `| ${key} | ${modules.join(", ")} |`);
  return [`| ${head.join(" | ")} |`, `|${" --- |".repeat(head.length)}`, ...lines].join("\n");
}

/** What each toolchain was given: the files and the command of its first cell for legacy decorators. */
function configurations(cells) {
  const shown = cells.filter((cell, index) => cells.findIndex(({ toolchain }) => toolchain === cell.toolchain) === index);
  return shown
    .map(({ toolchain, files, run }) => [`### ${toolchain}`, `\`${run}\``, ...Object.entries(files).map(codeBlock)].join("\n\n"))
    .join("\n\n");
}

function codeBlock([name, text]) {
  return `\`${name}\`:\n\n\`\`\`${/json|rc$/.test(name) ? "json" : "js"}\n${text}\`\`\``;
}
