/**
 * node --expose-gc judge.mjs INPUT: measures one input once, alone in this process, and prints what it cost as the machine of the limits
 * would count it. The library's code is loaded and used beforehand by small inputs of the family.
 */
import { loadFamily } from "./families/index.mjs";
import { unnamed } from "./families/named-errors.mjs";
import { makeInput } from "./input.mjs";
import { measure, slowness } from "./measure.mjs";

const input = JSON.parse(process.argv[2]);
const family = await loadFamily(input.family);
for (const seed of [1, 2, 3]) {
  const work = await makeInput(family, { ...input, seed, share: 0.001 });
  if (work) await measure(work);
}
const work = await makeInput(family, input);
if (work === undefined) throw new Error("The input isn't within the caps.");
const before = slowness();
const { processor, block, memory, error } = await measure(work);
// The machine may have become faster or slower meanwhile; what speaks for the input counts.
const slow = Math.max(before, slowness());
const cost = { processor: processor / slow, block: block / slow, memory, fault: error && unnamed(error) };
process.stdout.write(`\n${JSON.stringify(cost)}\n`, () => process.exit());
