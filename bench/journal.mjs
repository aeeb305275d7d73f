/** A run that is recorded in files, beside the least that a record costs: one append with fsync. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStorage } from "toolwright/storage";
import { answer } from "./fixture.mjs";

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/**
 * Microseconds of a step and of an append, by turns: wall time, because both wait for the disk. The exponent is that of processor time from
 * 100 to 1,000 steps. Bytes are those of the journal. `turn(steps)` makes the function that carries out a run with a call in each step.
 */
export async function measureJournal(turn, { rounds }) {
  const directory = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const journal = new FileStorage(directory);
  const works = new Map([50, 100, 1_000].map((steps) => [steps, turn(steps)]));
  let runs = 0;
  const record = async (steps) => {
    const runId = `run_${runs++}`;
    const [start, processor] = [performance.now(), process.cpuUsage()];
    assert.equal(await works.get(steps)({ journal, runId }), answer);
    const { user, system } = process.cpuUsage(processor);
    return { runId, wall: ((performance.now() - start) * 1e3) / steps, processor: user + system };
  };
  const plain = await open(join(directory, "plain"), "a");
  const append = async (count, line) => {
    const start = performance.now();
    for (let index = 0; index < count; index++) {
      await plain.write(line);
      await plain.datasync();
    }
    return ((performance.now() - start) * 1e3) / count;
  };
  const { runId } = await record(100);
  const bytes = bytesOf(directory, runId) / 100;
  // A step makes two appends, of half of its bytes each.
  const line = `${"x".repeat(bytes / 2 - 1)}\n`;
  const kept = { step: [], append: [], short: [], long: [] };
  for (let round = 0; round < rounds; round++) {
    // The disk's time changes from second to second.
    for (let turn = 0; turn < 4; turn++) {
      kept.step.push((await record(50)).wall);
      kept.append.push(await append(100, line));
    }
    // As many steps as the long run has: what the processor does besides hits both alike.
    let short = 0;
    for (let run = 0; run < 10; run++) short += (await record(100)).processor / 10;
    kept.short.push(short);
    kept.long.push((await record(1_000)).processor);
  }
  await plain.close();
  await journal.close();
  rmSync(directory, { recursive: true });
  const { step, append: least, short, long } = Object.fromEntries(Object.entries(kept).map(([kind, times]) => [kind, median(times)]));
  return { step, append: least, exponent: Math.log10(long / short), bytes };
}

function bytesOf(directory, runId) {
  const ended = join(directory, "journals/ended");
  const file = readdirSync(ended).find((name) => name.startsWith(`${runId.replace("_", "-")}-`));
  return statSync(join(ended, file)).size;
}
