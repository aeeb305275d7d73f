import type { CharacterSet } from "./character-set.js";
import { type CountWork, uncounted } from "../work-budget.js";
import type { PatternNode } from "./pattern-syntax.js";

type Instruction =
  | { readonly kind: "characters"; readonly set: CharacterSet }
  | { readonly kind: "split"; other: number }
  | { readonly kind: "jump"; target: number }
  | { readonly kind: "assertion"; readonly assertion: "start" | "end" | "boundary" | "no boundary" }
  | { readonly kind: "look"; readonly index: number; readonly negative: boolean }
  | { readonly kind: "match" };

/** The characters of a text by their numbers. */
type Codes = Uint16Array | Uint32Array;

type Program = readonly Instruction[];

interface Look {
  readonly program: Program;
  readonly behind: boolean;
}

/** More instructions than this (after `x{2,5}` is written out) are not run. */
const maxInstructions = 2_000;

const tooLarge = "is too large when its repetitions are written out";

/** A step in units of work. */
const unitsPerStep = 1.5;

/** Whether a set holds a character outside ASCII is asked of the platform's engine. */
const stepsOutsideAscii = 8;

/** Work is counted after so many steps. */
const stepsAtOnce = 1_000;

/** Steps (characters times instructions) that one test may take: about a quarter of a second. */
const maxSteps = 20_000_000;

/**
 * Matches in time proportional to the text, whatever the pattern: all ways through the pattern are followed at once
 * (Thompson's construction), each at most once per character. Look-arounds are computed for every position first.
 */
export class LinearPattern {
  private readonly looks: Look[] = [];
  /** Parts of the pattern that were written out, repetitions counted. */
  private written = 0;
  private readonly program: Program;
  private readonly size: number;
  /** Texts with more characters than this are not tested. */
  readonly maxLength: number;

  /** @throws RangeError if the pattern, written out, is too long to run. */
  constructor(
    root: PatternNode,
    private readonly unicode: boolean,
  ) {
    this.program = this.compile(root, false);
    this.size = this.looks.reduce((sum, { program }) => sum + program.length, this.program.length);
    this.maxLength = Math.floor(maxSteps / this.size);
  }

  /** Units of work that a character costs at most. */
  get weight(): number {
    return unitsPerStep * this.size;
  }

  /** Whether the pattern matches anywhere in the text; without a count of the work, false for a text beyond `maxLength`. */
  test(text: string, count?: CountWork): boolean {
    if (count === undefined) return text.length <= this.maxLength && this.test(text, uncounted);
    count(80 + this.size / 10 + text.length / 2);
    const codes = this.unicode ? codePoints(text) : Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
    const tables: Uint8Array[] = [];
    for (const { program, behind } of this.looks) {
      count(codes.length / 4);
      const table = new Uint8Array(codes.length + 1);
      run(program, codes, tables, !behind, count, (position) => {
        table[position] = 1;
        return false;
      });
      tables.push(table);
    }
    return run(this.program, codes, tables, false, count, () => true);
  }

  private compile(root: PatternNode, reversed: boolean): Program {
    const program: Instruction[] = [];
    const emit = (instruction: Instruction): number => {
      if (program.push(instruction) > maxInstructions) throw new RangeError(tooLarge);
      return program.length - 1;
    };
    const split = (): { kind: "split"; other: number } => ({ kind: "split", other: 0 });

    const optional = (body: () => void): void => {
      const fork = split();
      emit(fork);
      body();
      fork.other = program.length;
    };

    const write = (node: PatternNode): void => {
      // Counted on its own because `(?:){1000000000}` writes nothing, a thousand million times, and for all look-arounds together.
      if (++this.written > 4 * maxInstructions) throw new RangeError(tooLarge);
      switch (node.kind) {
        case "characters":
        case "assertion":
          emit(node);
          return;
        case "look":
          this.looks.push({ program: this.compile(node.body, !node.behind), behind: node.behind });
          emit({ kind: "look", index: this.looks.length - 1, negative: node.negative });
          return;
        case "sequence":
          for (const part of reversed ? node.parts.toReversed() : node.parts) write(part);
          return;
        case "choice": {
          const ends: { kind: "jump"; target: number }[] = [];
          for (const option of node.options) {
            const fork = split();
            emit(fork);
            write(option);
            const end = { kind: "jump" as const, target: 0 };
            emit(end);
            ends.push(end);
            fork.other = program.length;
          }
          // The last fork's other way is a dead end: no option is left.
          emit({ kind: "jump", target: -1 });
          for (const end of ends) end.target = program.length;
          return;
        }
        case "repeat": {
          const { minimum, maximum, body } = node;
          for (let count = 0; count < minimum; count++) write(body);
          if (maximum === Number.POSITIVE_INFINITY) {
            const start = program.length;
            optional(() => {
              write(body);
              emit({ kind: "jump", target: start });
            });
          } else {
            const rest = (left: number): void => {
              if (left > 0)
                optional(() => {
                  write(body);
                  rest(left - 1);
                });
            };
            rest(maximum - minimum);
          }
        }
      }
    };

    write(root);
    emit({ kind: "match" });
    return program;
  }
}

function codePoints(text: string): Uint32Array {
  const codes = new Uint32Array(text.length);
  let length = 0;
  for (const character of text) codes[length++] = character.codePointAt(0) ?? 0;
  return codes.subarray(0, length);
}

/** Follows all threads through the text in one direction, a new one from every position; `found` says whether to stop at a match. */
function run(
  program: Program,
  codes: Codes,
  tables: readonly Uint8Array[],
  backwards: boolean,
  count: CountWork,
  found: (position: number) => boolean,
): boolean {
  const { length } = codes;
  let steps = 0;
  const step = backwards ? -1 : 1;
  const reached = new Int32Array(program.length).fill(-1);
  const pending: number[] = [];
  let threads: number[] = [];
  for (let position = backwards ? length : 0; backwards ? position >= 0 : position <= length; position += step) {
    const waiting: number[] = [];
    threads.push(0);
    let matched = false;
    for (const thread of threads) {
      pending.push(thread);
      while (pending.length > 0) {
        const at = pending.pop() ?? -1;
        if (at < 0 || reached[at] === position) continue;
        reached[at] = position;
        steps++;
        const instruction = program[at];
        switch (instruction?.kind) {
          case "characters":
            waiting.push(at);
            break;
          case "split":
            pending.push(instruction.other, at + 1);
            break;
          case "jump":
            pending.push(instruction.target);
            break;
          case "assertion":
            if (holds(instruction.assertion, codes, position)) pending.push(at + 1);
            break;
          case "look":
            if ((tables[instruction.index]?.[position] === 1) !== instruction.negative) pending.push(at + 1);
            break;
          default:
            matched = true;
        }
      }
    }
    if (steps >= stepsAtOnce) {
      count(steps * unitsPerStep);
      steps = 0;
    }
    if (matched && found(position)) {
      count(steps * unitsPerStep);
      return true;
    }
    const code = codes[backwards ? position - 1 : position];
    threads = [];
    if (code === undefined) break;
    if (code > 127) steps += waiting.length * stepsOutsideAscii;
    for (const at of waiting) {
      const instruction = program[at];
      if (instruction?.kind === "characters" && instruction.set.has(code)) threads.push(at + 1);
    }
  }
  count(steps * unitsPerStep);
  return false;
}

function holds(assertion: "start" | "end" | "boundary" | "no boundary", codes: Codes, position: number): boolean {
  if (assertion === "start") return position === 0;
  if (assertion === "end") return position === codes.length;
  return (isWord(codes[position - 1]) !== isWord(codes[position])) === (assertion === "boundary");
}

const isWord = (code: number | undefined): boolean => code !== undefined && code < 128 && /\w/.test(String.fromCharCode(code));
