import { closeSync, openSync, readSync } from "node:fs";

/** Processor milliseconds of `calibration()` on the machine that the limits were set on: an idle Xeon at 2.5 GHz, Node 20. */
const referenceCalibration = 10.3;

/** The most that one input may cost: processor milliseconds there, and megabytes. */
export const limits = { processor: 200, block: 200, memory: 200, growth: 2.5 };

const milliseconds = ({ user, system }) => (user + system) / 1_000;

/** Text, objects and a map, as the library's own work: what it costs tells how fast this process runs at the moment. */
function calibration() {
  const before = process.cpuUsage();
  let length = 0;
  for (let round = 0; round < 30; round++) {
    const rows = Array.from({ length: 400 }, (_, index) => ({ id: index, name: `row ${index} of ${round}`, tags: ["a", "b", `${index}`] }));
    const known = new Map(JSON.parse(JSON.stringify(rows)).map((row) => [row.name, row]));
    for (const { name } of rows) length += known.get(name).tags.length + name.replace(/\d+/g, "#").length;
  }
  if (length === 0) throw new Error("The calibration did nothing.");
  return milliseconds(process.cpuUsage(before));
}

/** How much slower this process is now than the machine of the limits; the least of five, because other processes only add. */
export function slowness() {
  return Math.min(...Array.from({ length: 5 }, calibration)) / referenceCalibration;
}

/** Processor time of this thread in milliseconds, by the kernel's count; elsewhere than on Linux the clock, which counts more. */
const threadTime = (() => {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
    const buffer = Buffer.alloc(64);
    process.once("exit", () => closeSync(file));
    return () => Number(buffer.toString("latin1", 0, readSync(file, buffer, 0, 64, 0)).split(" ", 1)[0]) / 1e6;
  } catch {
    return () => performance.now();
  }
})();

/** The longest time that this thread worked between two turns of the event loop, until `stop`. */
function watchLoop() {
  let longest = 0;
  let before = threadTime();
  const look = () => {
    const now = threadTime();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const timer = setInterval(look, 1);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };
}

/** Runs `work` and gives what it cost, and the error that it threw. Time is as it was measured here, not yet divided by `slowness`. */
export async function measure(work) {
  // A turn of the loop, so that what was before isn't counted.
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc?.();
  const peak = process.resourceUsage().maxRSS;
  const stop = watchLoop();
  const start = process.cpuUsage();
  let error;
  try {
    await work();
  } catch (thrown) {
    error = thrown;
  }
  const processor = milliseconds(process.cpuUsage(start));
  const block = stop();
  return { processor, block, memory: (process.resourceUsage().maxRSS - peak) / 1_024, error };
}
