/**
 * Searches one family in a process of its own, forked by run.mjs: first each shape at the caps, then random ones until `until` (ms since
 * 1970). Sends each input before it is measured, so that its parent knows it if this process hangs or dies, and what it cost afterwards.
 */
import { loadFamily } from "./families/index.mjs";
import { unnamed } from "./families/named-errors.mjs";
import { makeInput } from "./input.mjs";
import { measure, slowness } from "./measure.mjs";
import { Random } from "./random.mjs";

const [name, seed, until] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const skipped = Number(process.argv[5] ?? 0);
const family = await loadFamily(name);
const shapes = Object.keys(family.shapes);
const random = new Random(seed);

function* inputs() {
  for (const shape of shapes) yield { family: name, shape, seed, share: 1 };
  while (Date.now() < until) {
    const share = random.pick([1, 1, 1, random.next(), random.next() / 10]);
    yield { family: name, shape: random.pick(shapes), seed: random.integer(0, 2 ** 31), share };
  }
}

const send = (message) => new Promise((resolve, reject) => process.send(message, (error) => (error ? reject(error) : resolve())));

for (const shape of shapes) {
  const work = await makeInput(family, { shape, seed, share: 0.001 });
  if (work) await measure(work);
}
let slow = slowness();
let count = 0;
for (const input of inputs()) {
  // What a process before this one was stopped at, and all before it.
  if (count++ < skipped) continue;
  await send({ begun: input });
  const work = await makeInput(family, input);
  if (work === undefined) continue;
  if (count % 20 === 0) slow = slowness();
  const { processor, block, memory, error } = await measure(work);
  // Growth is looked at in this process first: to judge it takes six more.
  const half = family.judged.includes("growth") && input.share === 1 ? await makeInput(family, { ...input, share: 0.5 }) : undefined;
  await send({
    input,
    processor: processor / slow,
    block: block / slow,
    memory,
    fault: error && unnamed(error),
    half: half && (await measure(half)).processor / slow,
  });
}
process.exit();
