import type { Bar } from "./bar.js";

/** Where times stand in a timeline, as a share of its width. */
export interface TimeScale {
  readonly placeOf: (time: number) => number;
  /** Whether waits are drawn shorter than they were. */
  readonly isShortened: boolean;
}

/** A stretch of time and its place, before it is divided by the whole. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly place: number;
  readonly width: number;
}

/** The share of all work that a longer pause is drawn with: a night's wait would leave no width for the work. */
const longestPause = 0.5;

/** The scale of bars that end at the latest at `last`. A stretch in which no model and no tool works is shortened if it is long. */
export function timeScale(bars: readonly Bar[], last: number): TimeScale {
  const worked = merged(bars.filter(({ kind }) => kind !== "wait").map(({ start, end }): Interval => [start, end ?? last]));
  const pause = worked.reduce((sum, [from, to]) => sum + to - from, 0) * longestPause;
  const stretches: Stretch[] = [];
  let [time, place, isShortened] = [0, 0, false];
  const add = (to: number, isPause: boolean): void => {
    if (to <= time) return;
    const isCut = isPause && pause > 0 && to - time > pause;
    const width = isCut ? pause : to - time;
    stretches.push({ from: time, to, place, width });
    isShortened ||= isCut;
    time = to;
    place += width;
  };
  for (const [from, to] of worked) {
    add(from, true);
    add(to, false);
  }
  add(last, true);
  const whole = Math.max(1, place);
  const placeOf = (asked: number): number => {
    const stretch = stretches.find(({ to }) => asked <= to) ?? stretches.at(-1);
    if (stretch === undefined) return 0;
    const { from, to, place: start, width } = stretch;
    return (start + ((Math.min(asked, to) - from) / (to - from)) * width) / whole;
  };
  return { placeOf, isShortened };
}

type Interval = readonly [from: number, to: number];

/** The stretches that the intervals cover together, in order. */
function merged(intervals: readonly Interval[]): readonly Interval[] {
  const covered: Interval[] = [];
  for (const [from, to] of [...intervals].sort(([one], [other]) => one - other)) {
    const before = covered.at(-1);
    if (before !== undefined && from <= before[1]) covered[covered.length - 1] = [before[0], Math.max(before[1], to)];
    else covered.push([from, to]);
  }
  return covered;
}
