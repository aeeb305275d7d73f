import type { Confirmation } from "../../confirmation.js";
import { shownArguments } from "../shown-arguments.js";
import { visibleText } from "../visible-text.js";

/** Narrower terminals are written to as if they were this wide. */
const fewestColumns = 20;

/**
 * What a person decides about, line by line. Every line that continues another begins with a bar, also where a long one
 * is broken, so that no argument can look like a line of this summary or like the question below it.
 */
export function summaryOf(confirmation: Confirmation, columns: number): string {
  const { agent, tool, description, category, consequence } = confirmation;
  const shown = shownArguments(confirmation).map(({ name, text }) => `argument ${name}: ${text}`);
  const lines = [
    `agent: ${visibleText(agent)}`,
    `tool: ${visibleText(tool)}`,
    `what it does: ${visibleText(description)}`,
    `category: ${category}`,
    `consequence: ${consequence}`,
    ...(shown.length === 0 ? ["no arguments"] : shown),
  ];
  return ["This call needs your approval:", ...lines.map((line) => indented(line, Math.max(columns, fewestColumns)))].join("\n");
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

/** Breaks a line before it is wider than `width`, between words where there are some near the end. */
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
