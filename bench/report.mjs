/** The table as text and as Markdown. */

const number = (value) => {
  if (value === undefined || value === null) return "–";
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
};

/** A figure, with its range over the rounds where they differ by more than a quarter: such a figure needs a quieter machine. */
const figure = ({ value, least, most } = {}) =>
  value === undefined
    ? "–"
    : (most - least) / Math.abs(value) > 0.25
      ? `${number(value)} [${number(least)}–${number(most)}]`
      : number(value);

const heads = ["work", "Toolwright", "floor", "ratio", "goal", "met", "zod + AI SDK", "class-transformer + class-validator"];

const cells = ({ row, toolwright, floor, ratio, judged, goal, met, aiSdk, classValidator }) => [
  row,
  figure(toolwright),
  figure(floor),
  ratio === null ? "–" : `${number(ratio)}x`,
  `under ${number(goal)}${judged === "ratio" ? "x" : ""}`,
  met ? "yes" : "no",
  figure(aiSdk),
  figure(classValidator),
];

export function textTable(results) {
  const lines = [heads, ...results.map(cells)];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) => line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join("  "))
    .join("\n");
}

export function markdownTable(results) {
  const line = (columns) => `| ${columns.join(" | ")} |`;
  return [
    line(heads),
    line(heads.map((_, column) => (column === 0 ? "---" : "---:"))),
    ...results.map((result) => line(cells(result))),
  ].join("\n");
}
