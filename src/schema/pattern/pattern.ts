import { LinearPattern } from "./linear-pattern.js";
import { type PatternNode, parsePattern, UnboundedPatternError } from "./pattern-syntax.js";
import type { CharacterMask } from "./character-set.js";
import type { CountWork } from "../work-budget.js";

/**
 * A `pattern` that can't hang: either the platform's engine is known to need linear time for it, or an own linear
 * matcher runs it. No pattern of JSON Schema is tested in any other way.
 */
export interface SafePattern {
  /** What the engine is given: an expression whose `test` is safe. */
  readonly expression: RegExp;
  /** The pattern as a plain string is just as safe: legal with the `u` flag and linear in the platform's engine. */
  readonly plain: boolean;
  /** It takes quadratic time at worst in the platform's engine, so it may be tested against short texts (property names). */
  readonly quadratic: boolean;
  /** Texts longer than this are not tested and count as not matching. */
  readonly maxLength: number;
  /** Units of work that a character of a text costs at most. */
  readonly weight: number;
  /** The test itself, for validations that count their work. */
  readonly test: (text: string, count: CountWork) => boolean;
}

/** What the platform's engine needs for a character, each time that it looks at it. */
const nativeWeight = 0.2;

/** Why a pattern is refused; the message reads on after "the pattern". */
export class PatternError extends Error {}

/** Patterns repeat across tools; analysing one takes some tens of microseconds. */
const known = new Map<string, SafePattern>();
const maxKnown = 1_000;

/** @throws PatternError for what is no regular expression, and for back references. */
export function safePattern(source: string): SafePattern {
  let pattern = known.get(source);
  if (pattern === undefined) {
    pattern = analyse(source);
    if (known.size >= maxKnown) known.clear();
    known.set(source, pattern);
  }
  return pattern;
}

function analyse(source: string): SafePattern {
  const native = nativeExpression(source);
  try {
    const root = parsePattern(source, native.flags);
    const linear = isLinear(root);
    const plain = linear && native.unicode;
    if (linear) {
      const weight = nativeWeight * (startsAnchored(root) ? 1 : 1 + longest(root));
      const test = (text: string, count: CountWork): boolean => {
        count(2 + text.length * weight);
        return native.test(text);
      };
      return { expression: native, plain, quadratic: true, maxLength: Number.POSITIVE_INFINITY, weight, test };
    }
    const matcher = new LinearPattern(root, native.unicode);
    const { maxLength, weight } = matcher;
    const expression = new LinearExpression(native, matcher);
    return { expression, plain, quadratic: isQuadratic(root), maxLength, weight, test: (text, count) => matcher.test(text, count) };
  } catch (error) {
    if (error instanceof UnboundedPatternError || error instanceof RangeError) throw new PatternError(error.message);
    throw error;
  }
}

/** JSON Schema means Unicode; patterns that are only legal without it (`[\w-.]`) keep the meaning that their authors tested. */
function nativeExpression(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    try {
      return new RegExp(source);
    } catch (error) {
      throw new PatternError(`isn't a regular expression (${error instanceof Error ? error.message : String(error)})`);
    }
  }
}

/** A regular expression to those who ask, with the linear matcher inside. */
class LinearExpression extends RegExp {
  readonly #matcher: LinearPattern;

  constructor(native: RegExp, matcher: LinearPattern) {
    super(native);
    this.#matcher = matcher;
  }

  override test(text: string): boolean {
    return this.#matcher.test(text);
  }
}

/** Longest match that may be tried again from every position of a text. */
const maxUnanchored = 256;

/**
 * Whether a backtracking engine needs linear time: it starts at one place (or its matches are short), and the next character decides every
 * choice, so no path is tried twice. What is not surely linear counts as not linear.
 */
function isLinear(root: PatternNode): boolean {
  return (startsAnchored(root) || longest(root) <= maxUnanchored) && isDeterministic(root, 0n);
}

/** One loop at most, nothing ambiguous inside it and no other choice than `x?`, `x|y`: quadratic even when tried from every position. */
function isQuadratic(root: PatternNode): boolean {
  let loops = 0;
  let choices = 0;
  const visit = (node: PatternNode): boolean => {
    switch (node.kind) {
      case "look":
        return false;
      case "sequence":
        return node.parts.every(visit);
      case "choice":
        choices += node.options.length;
        return node.options.every(visit);
      case "repeat":
        if (node.minimum === node.maximum) return node.maximum <= maxUnanchored && node.body.kind === "characters";
        if (node.maximum === 1) choices++;
        else loops++;
        return node.body.kind === "characters";
      default:
        return true;
    }
  };
  return visit(root) && loops <= 1 && choices <= 8;
}

function startsAnchored(node: PatternNode): boolean {
  switch (node.kind) {
    case "assertion":
      return node.assertion === "start";
    case "sequence":
      return node.parts[0] !== undefined && startsAnchored(node.parts[0]);
    case "choice":
      return node.options.every(startsAnchored);
    default:
      return false;
  }
}

function longest(node: PatternNode): number {
  switch (node.kind) {
    case "characters":
      return 1;
    case "sequence":
      return node.parts.reduce((sum, part) => sum + longest(part), 0);
    case "choice":
      return Math.max(...node.options.map(longest));
    case "repeat":
      return node.maximum === 0 ? 0 : longest(node.body) * node.maximum || 0;
    default:
      return 0;
  }
}

function canBeEmpty(node: PatternNode): boolean {
  switch (node.kind) {
    case "characters":
      return false;
    case "sequence":
      return node.parts.every(canBeEmpty);
    case "choice":
      return node.options.some(canBeEmpty);
    case "repeat":
      return node.minimum === 0 || canBeEmpty(node.body);
    default:
      return true;
  }
}

/** The characters that a match of the node can begin with. */
function first(node: PatternNode): CharacterMask {
  switch (node.kind) {
    case "characters":
      return node.set.mask;
    case "sequence": {
      let mask = 0n;
      for (const part of node.parts) {
        mask |= first(part);
        if (!canBeEmpty(part)) break;
      }
      return mask;
    }
    case "choice":
      return node.options.reduce((mask, option) => mask | first(option), 0n);
    case "repeat":
      return node.maximum === 0 ? 0n : first(node.body);
    default:
      return 0n;
  }
}

/** `follow`: the characters that can come right after the node. */
function isDeterministic(node: PatternNode, follow: CharacterMask): boolean {
  switch (node.kind) {
    case "look":
      return false;
    case "sequence": {
      let after = follow;
      for (const part of node.parts.toReversed()) {
        if (!isDeterministic(part, after)) return false;
        after = first(part) | (canBeEmpty(part) ? after : 0n);
      }
      return true;
    }
    case "choice": {
      if (node.options.filter(canBeEmpty).length > 1) return false;
      let taken = 0n;
      for (const option of node.options) {
        const starts = first(option) | (canBeEmpty(option) ? follow : 0n);
        if ((taken & starts) !== 0n || !isDeterministic(option, follow)) return false;
        taken |= starts;
      }
      return true;
    }
    case "repeat": {
      const { minimum, maximum, body } = node;
      if (maximum > 1 && canBeEmpty(body)) return false;
      if (minimum !== maximum && (canBeEmpty(body) || (first(body) & follow) !== 0n)) return false;
      return isDeterministic(body, maximum > 1 ? follow | first(body) : follow);
    }
    default:
      return true;
  }
}

/** Why a pattern is refused, as the end of a sentence about it; undefined for one that is taken. */
export function patternProblem(source: string): string | undefined {
  try {
    safePattern(source);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
