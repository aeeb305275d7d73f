import type { Bar } from "./bar.js";
import { duration, Visible } from "./text.js";
import { timeScale } from "./time-scale.js";

interface TimelineProps {
  readonly bars: readonly Bar[];
  /** Whether starts and ends are milliseconds; else they are places in the order of the record, which has no clock. */
  readonly isTimed: boolean;
}

/** Steps, calls and waits below each other, from left to right as they happened. */
export function Timeline({ bars, isTimed }: TimelineProps) {
  if (bars.length === 0) return null;
  const latest = bars.reduce((time, { start, end }) => Math.max(time, end ?? start), 1);
  // What goes on has a width too.
  const last = bars.some(({ end }) => end === undefined) ? latest * 1.15 : latest;
  const shown = bars.slice(-mostBars);
  const { placeOf, isShortened } = timeScale(bars, last);
  return (
    <section aria-label="Timeline">
      <h3>Timeline</h3>
      {!isTimed && <p class="note">In the order of the record, which has no times: the widths aren't durations.</p>}
      {isTimed && isShortened && <p class="note">Long waits are drawn shorter.</p>}
      {shown.length < bars.length && (
        <p class="note">
          The last {mostBars} of {bars.length}.
        </p>
      )}
      <ol class="timeline">
        {shown.map(({ key, label, kind, start, end, failed }) => {
          const until = end ?? last;
          const [from, to] = [placeOf(start), placeOf(until)];
          const place = { marginLeft: `${from * 100}%`, width: `max(3px, ${(to - from) * 100}%)` };
          return (
            <li key={key}>
              <span class="label">
                <Visible text={label} />
              </span>
              <span class="track" aria-hidden="true">
                <span class={`bar ${kind}${failed === true ? " failed" : ""}${end === undefined ? " open" : ""}`} style={place} />
              </span>
              <span class="time">{end === undefined ? "goes on" : isTimed ? duration(end - start) : failed === true ? "failed" : ""}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const mostBars = 60;
