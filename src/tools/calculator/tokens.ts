import { CalculatorError } from "./calculator-error.js";

/** A number, a name, an operator or bracket, or the end of the text. */
export interface Token {
  readonly kind: "number" | "name" | "sign" | "end";
  readonly text: string;
  /** From 1, for messages. */
  readonly position: number;
}

/** A number, a name, or an operator or bracket. */
const pattern = /\s*(?:((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z_0-9]*)|(\*\*|[-+*/%^!(),]))/y;

/** What people write, and what the calculator reads instead. */
const instead: readonly (readonly [RegExp, string])[] = [
  [/[×·⋅∙]/, "Write * for times."],
  [/[÷∶:]/, "Write / for division."],
  [/[−–—]/, "Write - for minus."],
  [/[√]/, "Write sqrt(x)."],
  [/[π]/, "Write pi."],
  [/[=<>]/, "Give the side to calculate alone: there are no equations, comparisons or variables."],
  [/[$€£¥]/, "Leave out currencies."],
  [/[[\]{}|]/, "Write round brackets; abs(x) for an absolute value."],
  [/["'`]/, "There are no texts, only numbers."],
  [/[０-９]/, "Write the digits 0 to 9."],
];
const otherwise = "There are numbers, + - * / % ^ !, brackets, and functions such as sqrt(2).";

/** Splits the text; what the calculator doesn't know ends it here, before anything is calculated. */
export function tokensOf(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = expression.trimEnd().length;
  pattern.lastIndex = 0;
  while (pattern.lastIndex < end) {
    const start = pattern.lastIndex;
    const found = pattern.exec(expression);
    if (found === null) throw unknownCharacter(expression, start);
    const [, number, name, sign] = found;
    const text = number ?? name ?? sign ?? "";
    const kind = number !== undefined ? "number" : name !== undefined ? "name" : "sign";
    tokens.push({ kind, text, position: pattern.lastIndex - text.length + 1 });
  }
  tokens.push({ kind: "end", text: "", position: end + 1 });
  return tokens;
}

function unknownCharacter(expression: string, start: number): CalculatorError {
  const [character = ""] = expression.slice(start).trimStart();
  const position = expression.indexOf(character, start) + 1;
  const [, advice = otherwise] = instead.find(([characters]) => characters.test(character)) ?? [];
  return new CalculatorError("syntax", `Unexpected "${character}" at character ${position}. ${advice}`);
}
