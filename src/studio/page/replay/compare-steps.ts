import type { CallEntry, Entry } from "../agents/transcript.js";

/** A step of the two runs: what each has, with notes at the calls that differ, and the differences in words. */
export interface ComparedStep {
  readonly step: number;
  readonly recorded: readonly Entry[];
  readonly replayed: readonly Entry[];
  /** Empty if both are the same. */
  readonly differences: readonly string[];
  readonly state: "same" | "differs" | "open";
}

/**
 * Puts the steps of a replay beside those of the record. `isOver`: the replay has ended, so that what it lacks won't come.
 * `first`: the step of the record that the replay began with, by its own step 1.
 */
export function compareSteps(
  recorded: ReadonlyMap<number, readonly Entry[]>,
  replayed: ReadonlyMap<number, readonly Entry[]>,
  isOver: boolean,
): readonly ComparedStep[] {
  const steps = [...new Set([...recorded.keys(), ...replayed.keys()])].sort((one, other) => one - other);
  const last = Math.max(0, ...replayed.keys());
  return steps.map((step) => compareStep(step, recorded.get(step), replayed.get(step), isOver || step < last));
}

function compareStep(
  step: number,
  recorded: readonly Entry[] | undefined,
  replayed: readonly Entry[] | undefined,
  isDone: boolean,
): ComparedStep {
  if (replayed === undefined || recorded === undefined) {
    const differences = recorded === undefined ? ["only in the replay"] : isDone ? ["only in the record"] : [];
    return { step, recorded: recorded ?? [], replayed: replayed ?? [], differences, state: differences.length > 0 ? "differs" : "open" };
  }
  const pairs = pairCalls(recorded.filter(isCall), replayed.filter(isCall));
  const changed = pairs.filter(({ before, after, names }) => before !== undefined && after !== undefined && names.length > 0);
  const added = pairs.filter(({ before }) => before === undefined);
  const missing = isDone ? pairs.filter(({ after }) => after === undefined) : [];
  const hasOtherText = isDone && textOf(recorded) !== textOf(replayed);
  const differences = [
    ...(hasOtherText ? ["the text differs"] : []),
    ...counted(changed.length, "call with other arguments", "calls with other arguments"),
    ...counted(added.length, "call that the record's step lacks", "calls that the record's step lacks"),
    ...counted(missing.length, "call that the replay didn't make", "calls that the replay didn't make"),
  ];
  const notes = new Map<Entry, string>();
  for (const { before, after, names } of changed) {
    if (before !== undefined) notes.set(before, `other arguments in the replay: ${names.join(", ")}`);
    if (after !== undefined) notes.set(after, `other arguments than recorded: ${names.join(", ")}`);
  }
  for (const { after } of added) if (after !== undefined) notes.set(after, "not in this step of the record");
  for (const { before } of missing) if (before !== undefined) notes.set(before, "not made in the replay");
  const noted = (entries: readonly Entry[]) => entries.map((entry) => withNote(entry, notes.get(entry)));
  const state = differences.length > 0 ? "differs" : isDone ? "same" : "open";
  return { step, recorded: noted(recorded), replayed: noted(replayed), differences, state };
}

const isCall = (entry: Entry): entry is CallEntry => entry.kind === "call";

const withNote = (entry: Entry, note: string | undefined): Entry =>
  entry.kind === "call" && note !== undefined ? { ...entry, note } : entry;

const textOf = (entries: readonly Entry[]): string =>
  entries
    .flatMap((entry) => (entry.kind === "answer" ? [entry.text] : []))
    .join("\n")
    .trim();

const counted = (count: number, one: string, several: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];

interface Pair {
  readonly before: CallEntry | undefined;
  readonly after: CallEntry | undefined;
  /** The arguments that differ. */
  readonly names: readonly string[];
}

/** Calls of the same tool with the same arguments first, then those of the same tool. */
function pairCalls(recorded: readonly CallEntry[], replayed: readonly CallEntry[]): readonly Pair[] {
  const open = new Set(recorded);
  const find = (wanted: CallEntry, isFit: (one: CallEntry) => boolean): CallEntry | undefined => {
    const found = [...open].find((one) => one.tool === wanted.tool && isFit(one));
    if (found !== undefined) open.delete(found);
    return found;
  };
  const same = new Map(replayed.map((call) => [call, find(call, (one) => namesThatDiffer(one, call).length === 0)]));
  const pairs = replayed.map((after): Pair => {
    const before = same.get(after) ?? find(after, () => true);
    return { before, after, names: before === undefined ? [] : namesThatDiffer(before, after) };
  });
  return [...pairs, ...[...open].map((before) => ({ before, after: undefined, names: [] }))];
}

function namesThatDiffer(one: CallEntry, other: CallEntry): readonly string[] {
  const [left, right] = [readArguments(one), readArguments(other)];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].filter((name) => orderedText(left[name]) !== orderedText(right[name]));
}

/** As the model wrote them, in both runs: a record doesn't have what the tool got. A text that isn't JSON is one argument. */
function readArguments({ arguments: written }: CallEntry): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(written || "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Compared as it is.
  }
  return { "all of them": written };
}

/** JSON whose keys have one order. */
const orderedText = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
