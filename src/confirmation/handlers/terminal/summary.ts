import type { Confirmation } from "../../confirmation.js";
import { type Detail, fittingDetail, notShown, wholeDetail } from "../detail.js";
import { shownConfirmation } from "../shown-confirmation.js";
import { isQuestion } from "../../question.js";
import { visibleText } from "../visible-text.js";

/** Narrower terminals are written to as if they were this wide. */
const fewestColumns = 20;

/** Lower terminals are written to as if they had so many rows. */
const fewestRows = 16;

/** The rows below the summary: for the question, and for a blank line above it. */
const rowsForQuestion = 3;

/** The size of a terminal, in characters. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
}

/** What a terminal shows, and whether that is all. */
export interface Summary {
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * What a person decides about, line by line. Every continued line begins with a bar, so no argument can look like a line of this summary or
 * like the question below it. Long values are cut so
 * that all arguments stand on the screen together.
 */
export function summaryOf(confirmation: Confirmation, { columns, rows }: Screen): Summary {
  const mostLines = Math.max(rows, fewestRows) - rowsForQuestion;
  const show = (detail: Detail): Summary => detailedSummary(confirmation, columns, detail);
  const summary = fittingDetail(show, ({ text }) => text.split("\n").length <= mostLines);
  const lines = summary.text.split("\n");
  if (lines.length <= mostLines) return summary;
  const shown = lines.slice(0, mostLines - 1);
  return { text: [...shown, `  ${notShown(lines.length - shown.length, "line")}`].join("\n"), isWhole: false };
}

/** The same with everything in it, however long that is. */
export const wholeSummaryOf = (confirmation: Confirmation, { columns }: Screen): string =>
  detailedSummary(confirmation, columns, wholeDetail).text;

function detailedSummary(confirmation: Confirmation, columns: number, detail: Detail): Summary {
  const { agent, tool, category, consequenceLevel } = confirmation;
  const { description, warnings, arguments: shown, isWhole } = shownConfirmation(confirmation, detail);
  const lines = [
    ...warnings.map(({ name, text }) => `${name}: ${text}`),
    `agent: ${visibleText(agent)}`,
    `tool: ${visibleText(tool)}`,
    `what it does: ${description}`,
    `category: ${category}`,
    `consequence: ${consequenceLevel}`,
    ...(shown.length === 0 ? ["no arguments"] : shown.map(({ name, text }) => `argument ${name}: ${text}`)),
  ];
  const heading = isQuestion(confirmation) ? "This call needs your answer:" : "This call needs your approval:";
  const text = [heading, ...lines.map((line) => indented(line, Math.max(columns, fewestColumns)))].join("\n");
  return { text, isWhole };
}

function indented(text: string, columns: number): string {
  const [mark, bar] = ["  ", "  | "];
  return text
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => broken(line, columns - bar.length))
    .map((line, index) => (index === 0 ? mark : bar) + line)
    .join("\n");
}

/** Breaks a line before it is wider than `width`, between words if a space is near the end. */
function broken(line: string, width: number): readonly string[] {
  const pieces: string[] = [];
  let [piece, taken] = ["", 0];
  for (const character of line) {
    const needed = widthOf(character);
    if (taken + needed > width) {
      const space = piece.lastIndexOf(" ") + 1;
      const end = space > piece.length / 2 ? space : piece.length;
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end);
      taken = widthOf(piece);
    }
    piece += character;
    taken += needed;
  }
  return [...pieces, piece];
}

/** The most columns that a text can take: beyond the Latin alphabets a character may take two. */
const widthOf = (text: string): number => [...text].reduce((width, character) => width + (character < "\u0300" ? 1 : 2), 0);
