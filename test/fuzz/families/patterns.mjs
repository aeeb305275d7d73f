import { argumentsCap, shapesOf } from "./schemas.mjs";
import { patternParts } from "./text-pieces.mjs";

const known = [
  "(a+)+$",
  "^(a|aa)+$",
  "^\\s+|\\s+$",
  "(.*a){20}",
  "([a-z]+)+\\d",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(x+x+)+y",
  "(?=(a+))a*b",
  "(a|b|ab)*c",
  "\\p{L}+\\d*\\p{L}+!",
  "(?<!a+)b",
  "^(?:a?){50}a{50}$",
];
const ends = ["", "!", "b", "$", "\n", "c", "\u{1f600}"];

const written = (random, parts) => {
  let text = random.list(random.integer(1, parts), () => random.pick(patternParts)).join("");
  for (let wraps = random.integer(0, 3); wraps > 0; wraps--)
    text = `(${random.pick(["", "?:", "?=", "?!", "?<=", "?<!"])}${text})${random.pick(["", "*", "+", "?", "{2,30}", "{1,200}"])}`;
  return random.chance(0.3) ? `^${text}$` : text;
};
const subject = (random, share) =>
  random.text(
    Math.floor(argumentsCap * share * 0.9),
    random.list(random.integer(1, 3), () => random.pick(["a", "aa", "ab", "b", " ", "x", "1", "é", "😀"])),
  ) + random.pick(ends);

/** A schema with patterns, and its value. */
const pairs = {
  known: (random, share) => [{ type: "string", pattern: random.pick(known) }, subject(random, share)],
  random: (random, share) => [{ type: "string", pattern: written(random, 5) }, subject(random, share)],
  long: (random, share) => [{ type: "string", pattern: written(random, 800 * share) }, subject(random, share)],
  union: (random, share) => [
    { anyOf: random.list(random.integer(1, 200 * share + 1), () => ({ type: "string", pattern: written(random, 3) })) },
    subject(random, share),
  ],
  all: (random, share) => [
    { allOf: random.list(random.integer(1, 200 * share + 1), () => ({ type: "string", pattern: written(random, 3) })) },
    subject(random, share),
  ],
  items: (random, share) => [
    { items: { type: "string", pattern: written(random, 4) } },
    random.list(2_000 * share + 1, () => subject(random, 0.0004)),
  ],
  names: (random, share) => [
    {
      patternProperties: Object.fromEntries(
        random.list(random.integer(1, 100 * share + 1), () => [written(random, 3), { type: "integer" }]),
      ),
    },
    Object.fromEntries(random.list(1_000 * share + 1, (index) => [subject(random, 0.0008) + index, 1])),
  ],
};

export const family = { title: "patterns", judged: ["processor", "memory"], shapes: shapesOf(pairs) };
