import { escapeHtml, printable } from "../redaction/internal.js";
import type { CaseResult } from "./evaluation-report.js";

/** Rows and columns: more can't be read. The tools that are confused most stand first. */
const mostTools = 20;
/** Pixels. */
const cell = 34;
const labels = 190;
const longestLabel = 24;

const none = "no call";

/** The matrix of expected tools (rows) and called ones (columns) as SVG; the darker, the larger the part of its row. */
export function confusionMatrix(results: readonly CaseResult[]): string {
  const choices = results
    .flatMap((result) => result.choices)
    .map(({ expected, called }) => ({ expected: expected ?? none, called: called ?? none }));
  const mistakes = (tool: string): number =>
    choices.filter(({ expected, called }) => expected !== called && (expected === tool || called === tool)).length;
  const all = [...new Set(choices.flatMap(({ expected, called }) => [expected, called]))];
  const tools = all.sort((one, other) => mistakes(other) - mistakes(one) || one.localeCompare(other)).slice(0, mostTools);
  const size = tools.length * cell;
  const cells = tools.flatMap((expected, row) => {
    const wanted = choices.filter((choice) => choice.expected === expected);
    return tools.map((called, column) => {
      const count = wanted.filter((choice) => choice.called === called).length;
      const opacity = count === 0 ? 0 : 0.15 + (0.45 * count) / wanted.length;
      const place = `x="${labels + column * cell}" y="${labels + row * cell}"`;
      const box = `<rect ${place} width="${cell}" height="${cell}" class="cell ${expected === called ? "right" : "wrong"}" fill-opacity="${opacity.toFixed(2)}"/>`;
      if (count === 0) return box;
      const middle = `x="${labels + (column + 0.5) * cell}" y="${labels + (row + 0.5) * cell + 5}"`;
      return `<g><title>${text(`expected ${expected}, called ${called}: ${count}`)}</title>${box}<text ${middle} text-anchor="middle">${count}</text></g>`;
    });
  });
  const rows = tools.map(
    (tool, index) => `<text x="${labels - 8}" y="${labels + (index + 0.5) * cell + 5}" text-anchor="end">${label(tool)}</text>`,
  );
  const columns = tools.map((tool, index) => {
    const x = labels + (index + 0.5) * cell + 5;
    return `<text transform="translate(${x} ${labels - 8}) rotate(-60)">${label(tool)}</text>`;
  });
  const left = all.length - tools.length;
  const width = labels + size + 110;
  const summary = `Matrix of the tools that were expected (rows) and called (columns)${left > 0 ? `; ${left} tools with fewer mistakes aren't shown` : ""}.`;
  return `<p>${summary}</p><svg role="img" aria-label="${summary}" width="${width}" height="${labels + size + 8}" viewBox="0 0 ${width} ${labels + size + 8}">
${[...columns, ...rows, ...cells].join("\n")}
</svg>`;
}

const text = (value: string): string => escapeHtml(printable(value));
const label = (tool: string): string => text(tool.length > longestLabel ? `${tool.slice(0, longestLabel - 1)}…` : tool);
