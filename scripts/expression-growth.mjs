/** How much longer an expression takes on eight times the text. Alone: node scripts/expression-growth.mjs '{"expression":...,"attack":...}' */
import { pathToFileURL } from "node:url";

const factor = 8;
/** Less is noise: the text grows until the shorter one takes as long, or is as long as what the library looks at in one go. */
const leastTime = 1;
const longest = 64_000;
/** The longer text isn't tried if the shorter one takes this many milliseconds already. */
const mostTime = 2_000;

export function growth({ source, flags }, attack) {
  const expression = new RegExp(source, flags);
  let length = 4_000;
  let short = timeOf(expression, textOf(attack, length));
  while (short < leastTime && length < longest) {
    length *= 4;
    short = timeOf(expression, textOf(attack, length));
  }
  if (short > mostTime) return Number.POSITIVE_INFINITY;
  if (short < leastTime) return timeOf(expression, textOf(attack, length * factor)) / leastTime;
  const long = timeOf(expression, textOf(attack, length * factor));
  return long / Math.min(short, timeOf(expression, textOf(attack, length)) || short);
}

const textOf = ({ prefix, pump, suffix }, length) => prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;

/** All matches are looked for, as the library does with most expressions; a sticky one is tried in one place. */
function timeOf(expression, text) {
  const start = process.cpuUsage();
  expression.lastIndex = 0;
  if (expression.global) text.replace(expression, "");
  else expression.test(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href && process.argv[2] !== undefined) {
  const { expression, attack } = JSON.parse(process.argv[2]);
  process.stdout.write(String(growth(expression, attack)));
}
