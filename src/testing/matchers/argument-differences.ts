import type { MadeCall } from "../../agent/internal.js";
import { joinPath } from "../../schema/internal.js";

/** An argument that isn't what was expected; `undefined` if one side has none. */
interface ArgumentDifference {
  /** `items[1].price`; empty for the arguments as a whole. */
  readonly path: string;
  readonly expected: unknown;
  readonly written: unknown;
}

interface NearestCall {
  readonly call: MadeCall;
  readonly differences: readonly ArgumentDifference[];
}

type Equals = (left: unknown, right: unknown) => boolean;

/** The call whose arguments differ least from the expected ones, and the differences. */
export function nearestCall(calls: readonly MadeCall[], expected: unknown, equals: Equals): NearestCall | undefined {
  const all = calls.map((call) => ({ call, differences: argumentDifferences(expected, call.input, equals) }));
  const [first, ...others] = all;
  return others.reduce((nearest, other) => (nearest && other.differences.length < nearest.differences.length ? other : nearest), first);
}

/** The places at which the model's arguments differ from the expected ones, as deep as possible. */
function argumentDifferences(expected: unknown, written: unknown, equals: Equals, path = ""): readonly ArgumentDifference[] {
  if (equals(written, expected)) return [];
  const part = partOf(expected);
  const wanted = part ?? expected;
  const inside =
    isStructure(wanted) && isStructure(written) && Array.isArray(wanted) === Array.isArray(written)
      ? [...new Set([...Object.keys(wanted), ...(part === undefined ? Object.keys(written) : [])])].flatMap((key) =>
          argumentDifferences(wanted[key], written[key], equals, joinPath(path, key, Array.isArray(wanted))),
        )
      : [];
  // A class may differ from plain arguments in none of its members.
  return inside.length > 0 ? inside : [{ path, expected, written }];
}

/** What `expect.objectContaining(...)` holds, in jest and in Vitest. */
function partOf(expected: unknown): Structure | undefined {
  const { sample, inverse } = (expected ?? {}) as { readonly sample?: unknown; readonly inverse?: unknown };
  return isAsymmetric(expected) && inverse !== true && String(expected) === "ObjectContaining" && isStructure(sample) ? sample : undefined;
}

type Structure = Readonly<Record<string, unknown>>;

const isStructure = (value: unknown): value is Structure => typeof value === "object" && value !== null && !isAsymmetric(value);

const isAsymmetric = (value: unknown): value is object => typeof value === "object" && value !== null && "asymmetricMatch" in value;

/** `city: expected "Rome", the model wrote "Paris"` for each, and what helps if only a part was left out. */
export function describeDifferences(
  { differences }: NearestCall,
  { printExpected, printReceived }: Readonly<Record<"printExpected" | "printReceived", (value: unknown) => string>>,
): readonly string[] {
  const lines = differences.map(({ path, expected, written }) => {
    const wanted = expected === undefined ? "not expected" : `expected ${printExpected(expected)}`;
    return `${path || "the arguments"}: ${wanted}, the model ${written === undefined ? "left it out" : `wrote ${printReceived(written)}`}`;
  });
  if (differences.every(({ written }) => written === undefined)) {
    lines.push("Arguments are compared as the model wrote them, without defaults.");
  }
  if (differences.every(({ expected }) => expected === undefined)) {
    lines.push("To name only some arguments, write expect.objectContaining({ ... }).");
  }
  return lines;
}
