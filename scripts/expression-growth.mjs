/** How much longer an expression takes on eight times the text. Alone: node scripts/expression-growth.mjs '{"expression":...,"attack":...}' */
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";

const factor = 8;
const repeats = 2;
/** The shorter text is as long as it must be to take this many milliseconds, so that a clock's step and a pause don't count. */
const leastTime = 3;
const shortest = 500;
/** An expression that is through so long a text in less than `leastTime` has no growth to speak of. */
const longest = 512_000;
/** One run is stopped behind so many milliseconds. */
const mostTime = 1_000;
/** Every quadratic search takes longer than `screenTime` on a text of this length. */
const screenLength = 16_000;
const screenTime = 4;

/** Whether the time may grow faster than the text: one short run, which tells nothing else. */
export function isSuspicious({ source, flags }, attack) {
  const expression = new RegExp(source, flags);
  const text = textOf(attack, screenLength);
  return timeOf(expression, text) > screenTime && timeOf(expression, text) > screenTime;
}

/** The processor time for a text of this length, in milliseconds. */
export const timeOn = ({ source, flags }, attack, length) => fastest(new RegExp(source, flags), textOf(attack, length));

export function growth({ source, flags }, attack) {
  const expression = new RegExp(source, flags);
  let length = shortest;
  // The first runs of an expression are interpreted; this loop is also what compiles it.
  while (timeOf(expression, textOf(attack, length)) < leastTime) {
    if (length >= longest) return 1;
    length *= 2;
  }
  const short = fastest(expression, textOf(attack, length));
  return fastest(expression, textOf(attack, length * factor)) / Math.max(short, Number.MIN_VALUE);
}

function textOf({ pumps, suffix }, length) {
  const share = length / pumps.length;
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(Math.ceil(share / pump.length))).join("") + suffix;
}

function fastest(expression, text) {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < repeats; run += 1) {
    const time = timeOf(expression, text);
    if (time === Number.POSITIVE_INFINITY) return time;
    least = Math.min(least, time);
  }
  return least;
}

const script = new Script("matchAll()");

/** Processor time in milliseconds. All matches are looked for if the expression is global; a sticky one is tried in one place. */
function timeOf(expression, text) {
  globalThis.matchAll = () => {
    expression.lastIndex = 0;
    if (expression.global) text.replace(expression, "");
    else expression.test(text);
  };
  const start = process.cpuUsage();
  try {
    script.runInThisContext({ timeout: mostTime });
  } catch {
    return Number.POSITIVE_INFINITY;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href && process.argv[2] !== undefined) {
  const { expression, attack } = JSON.parse(process.argv[2]);
  process.stdout.write(String(growth(expression, attack)));
}
