import { CharacterSet } from "./character-set.js";

/** A regular expression as a tree. It has no captures, because validation only asks whether a text matches. */
export type PatternNode =
  | { readonly kind: "characters"; readonly set: CharacterSet }
  | { readonly kind: "assertion"; readonly assertion: "start" | "end" | "boundary" | "no boundary" }
  | { readonly kind: "look"; readonly behind: boolean; readonly negative: boolean; readonly body: PatternNode }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly minimum: number; readonly maximum: number; readonly body: PatternNode };

/** A construct whose running time can't be bounded: a back reference. */
export class UnboundedPatternError extends Error {}

const groupOpenings = /\((?:\?(?::|<?[=!]|<[^>]*>))?/y;
const quantifiers = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
const characterClass = /\[(?:[^\\\]]|\\[\s\S])*\]/y;
const escapes = /\\(?:u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[\s\S])/y;
const surrogatePair = /\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}/y;

/**
 * Reads a pattern that `new RegExp(source, flags)` has already accepted, so that only legal syntax is met.
 *
 * @throws UnboundedPatternError for back references and inline flags.
 */
export function parsePattern(source: string, flags: string): PatternNode {
  let position = 0;
  const sets = new Map<string, CharacterSet>();

  const next = (expression: RegExp): RegExpExecArray | undefined => {
    expression.lastIndex = position;
    const match = expression.exec(source);
    if (match !== null) position = expression.lastIndex;
    return match ?? undefined;
  };

  const characters = (atom: string): PatternNode => {
    let set = sets.get(atom);
    if (set === undefined) sets.set(atom, (set = new CharacterSet(atom, flags)));
    return { kind: "characters", set };
  };

  function choice(): PatternNode {
    const options = [sequence()];
    while (source[position] === "|") {
      position++;
      options.push(sequence());
    }
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: "choice", options };
  }

  function sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (position < source.length && source[position] !== "|" && source[position] !== ")") {
      const atom = term();
      const quantifier = next(quantifiers);
      parts.push(quantifier === undefined ? atom : repeat(atom, quantifier));
    }
    return { kind: "sequence", parts };
  }

  function term(): PatternNode {
    switch (source[position]) {
      case "^":
        position++;
        return { kind: "assertion", assertion: "start" };
      case "$":
        position++;
        return { kind: "assertion", assertion: "end" };
      case "(":
        return group();
      case "[":
        return characters(next(characterClass)?.[0] ?? "");
      case "\\":
        return escape(((flags === "u" ? next(surrogatePair) : undefined) ?? next(escapes))?.[0] ?? "");
      default: {
        const character = flags === "u" ? String.fromCodePoint(source.codePointAt(position) ?? 0) : (source[position] ?? "");
        position += character.length;
        return characters(character);
      }
    }
  }

  function group(): PatternNode {
    const opening = next(groupOpenings)?.[0] ?? "";
    if (opening === "(" && source[position] === "?") throw new UnboundedPatternError("uses flags inside the pattern");
    const body = choice();
    position++; // the closing parenthesis
    return /[=!]$/.test(opening)
      ? { kind: "look", behind: opening.includes("<"), negative: opening.endsWith("!"), body }
      : { kind: "sequence", parts: [body] };
  }

  function escape(text: string): PatternNode {
    if (text === "\\b" || text === "\\B") return { kind: "assertion", assertion: text === "\\b" ? "boundary" : "no boundary" };
    if (/^\\[1-9k]/.test(text)) throw new UnboundedPatternError("refers back to a group");
    return characters(text);
  }

  return choice();
}

function repeat(body: PatternNode, [text, minimum, comma, maximum]: RegExpExecArray): PatternNode {
  switch (text[0]) {
    case "*":
      return { kind: "repeat", minimum: 0, maximum: Number.POSITIVE_INFINITY, body };
    case "+":
      return { kind: "repeat", minimum: 1, maximum: Number.POSITIVE_INFINITY, body };
    case "?":
      return { kind: "repeat", minimum: 0, maximum: 1, body };
    default: {
      const least = Number(minimum);
      const most = comma === undefined ? least : maximum === "" || maximum === undefined ? Number.POSITIVE_INFINITY : Number(maximum);
      return { kind: "repeat", minimum: least, maximum: most, body };
    }
  }
}
