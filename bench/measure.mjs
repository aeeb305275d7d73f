/**
 * Measures one section of one subject in this process and prints its figures as JSON:
 *
 *   node --expose-gc bench/measure.mjs toolwright call [--quick]
 *   node --expose-gc --cpu-prof --cpu-prof-dir=build/profile bench/measure.mjs toolwright turn
 *
 * Every function is checked for its result before it is timed, and runs are checked again while they are timed.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { measure } from "mitata";
import { answer, counter, expectedText, invalidArguments, pause, statuses, validArguments } from "./fixture.mjs";
import { nodeGet, temporaryFile, textServer } from "./world.mjs";

const [subjectName, section] = process.argv.slice(2);
const quick = process.argv.includes("--quick");

const { make } = await import(`./subjects/${subjectName}.mjs`);
const subject = await make();
const given = JSON.stringify([validArguments, invalidArguments]);

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const settle = async () => {
  await pause(20);
  for (let index = 0; index < 4; index++) globalThis.gc();
};

const elapsed = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** Milliseconds of processor time, for work longer than a time slice: other processes lengthen its wall time, but not this. */
async function processorTime(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e3;
}

/** Runs until the compiler is done with it, which on a busy machine takes processor time as much as calls. */
const warmUp = (work, seconds = 1) => milliseconds({ work }, quick ? 0.5 : seconds);

/**
 * The median of nanoseconds per call, in batches of at most about a tenth of a millisecond: most fit into one time slice.
 * mitata would collect garbage first, which throws away compiled code whose object shapes have no living instance.
 */
async function nanoseconds(work, seconds) {
  const { p50 } = await measure(work, { min_cpu_time: seconds * 1e9, batch_samples: 16, gc: false });
  return p50;
}

/** Nanoseconds by which `more` takes longer than `less`: the median of differences, because each is small beside its two figures. */
async function nanosecondsAdded(less, more, textOf) {
  for (const work of [less, more, less, more]) {
    assert.equal(textOf(await work()), expectedText);
    await warmUp(work);
  }
  const differences = [];
  for (let round = 0; round < (quick ? 7 : 9); round++) {
    const time = await nanoseconds(less, 0.1);
    differences.push((await nanoseconds(more, 0.1)) - time);
  }
  return median(differences);
}

/** Makes the function that runs `steps` tool calls and an answer, checked. */
async function checkedTurn(options) {
  const work = await subject.turn(options);
  assert.equal(await work(), answer);
  return { work, calls: options.steps };
}

/**
 * Milliseconds of processor time per run: the mean of as many as fill the seconds, in ever larger lots between two looks
 * at the clock. `calls` is how often each run must call the tool.
 */
async function milliseconds({ work, calls }, seconds) {
  const before = counter.calls;
  let runs = 0;
  let sum = 0;
  for (let lot = 1; sum < seconds * 1e3; lot *= 2) {
    sum += await processorTime(async () => {
      for (let index = 0; index < lot; index++) await work();
    });
    runs += lot;
  }
  if (calls !== undefined) assert.equal(counter.calls - before, runs * calls, `${subjectName}: the tool ran another number of times`);
  return sum / runs;
}

/** Times several kinds of runs in turn, because their figures are compared. The first round warms up, unless it took seconds. */
async function inTurn(kinds) {
  const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  const round = async (seconds) => {
    for (const [kind, run] of Object.entries(kinds)) times[kind].push(await milliseconds(run, seconds));
  };
  await round(0.5);
  if (Object.values(times).every(([time]) => time < 1_000)) {
    for (const kept of Object.values(times)) kept.length = 0;
    for (let index = 0; index < (quick ? 3 : 5); index++) await round(quick ? 0.1 : 0.2);
  }
  return Object.fromEntries(Object.entries(times).map(([kind, kept]) => [kind, median(kept)]));
}

/** The same for calls of which the compiler sees few in a second. */
async function warmInTurn(works, seconds) {
  for (const work of Object.values(works)) await warmUp(work, seconds);
  return inTurn(Object.fromEntries(Object.entries(works).map(([kind, work]) => [kind, { work }])));
}

const sections = {
  /** Nanoseconds per call of the one tool. */
  async call() {
    const figures = {};
    for (const [name, work] of Object.entries(subject.calls)) {
      const text = subject.textOf(await work());
      if (name !== "invalid") assert.equal(text, expectedText);
      else for (const parameter of ["customer", "limit"]) assert.ok(text.includes(parameter), `the error text names ${parameter}: ${text}`);
      await warmUp(work);
      figures[name] = await nanoseconds(work, quick ? 0.2 : 0.5);
      assert.equal(subject.textOf(await work()), text, `${subjectName}: ${name} gives another result after many calls`);
    }
    return figures;
  },

  /** Nanoseconds by which a deadline lengthens a call. */
  async deadline() {
    const { without, with: bounded } = subject.deadline;
    return { added: await nanosecondsAdded(without, bounded, subject.textOf) };
  },

  /** Milliseconds and bytes of heap for 1,000 distinct tools, cold. */
  async define() {
    await settle();
    const heapBefore = process.memoryUsage().heapUsed;
    const tools = new Array(1_000);
    const time = await elapsed(() => {
      for (let index = 0; index < tools.length; index++) tools[index] = subject.define(index);
    });
    await settle();
    const bytes = (process.memoryUsage().heapUsed - heapBefore) / tools.length;
    const { parameters } = tools[999];
    if (parameters !== undefined) assert.deepEqual(Object.keys(parameters.properties), ["customer", "status", "limit", "tags", "address"]);
    return { milliseconds: time, bytes };
  },

  /** Milliseconds in which 1,000 defined tools are written for a provider, the first time and every other. */
  async dialects() {
    const tools = Array.from({ length: 1_000 }, (_, index) => subject.define(index));
    await settle();
    let written;
    const cold = await elapsed(() => {
      written = subject.toProviderTools(tools);
    });
    const { parameters, strict } = written[999].function;
    assert.deepEqual([written.length, strict, parameters.required], [1_000, true, ["customer", "status", "limit", "tags", "address"]]);
    assert.deepEqual(parameters.properties.status.enum, [...statuses, null]);
    assert.match(parameters.properties.limit.description, /"default":10/);
    const again = await elapsed(() => {
      for (let index = 0; index < 10; index++) subject.toProviderTools(tools);
    });
    return { cold, again: again / 10 };
  },

  /** Microseconds of a run with 1 tool call and an answer, and of each further step. */
  async turn() {
    const { one, ten } = await inTurn({ one: await checkedTurn({ steps: 1 }), ten: await checkedTurn({ steps: 10 }) });
    return { one: one * 1e3, further: ((ten - one) * 1e3) / 9 };
  },

  /** Milliseconds of a run of 1,000 steps, and the slope of log(time) over log(steps) from 100 to 1,000. */
  async steps() {
    const { short, long } = await inTurn({
      short: await checkedTurn({ steps: 100 }),
      long: { work: await subject.turn({ steps: 1_000 }), calls: 1_000 },
    });
    return { milliseconds: long, exponent: Math.log10(long / short) };
  },

  /** Microseconds per model step with 1 and with 200 tools attached. */
  async tools() {
    const { one, many } = await inTurn({ one: await checkedTurn({ steps: 10 }), many: await checkedTurn({ steps: 10, tools: 200 }) });
    return { one: (one * 1e3) / 11, many: (many * 1e3) / 11 };
  },

  /**
   * Microseconds of a run with 10 tool calls and an answer, generated, and streamed in 5 pieces a step to a reader. Both can be
   * aborted, as a stream always can.
   */
  async stream() {
    const kinds = {
      generated: await checkedTurn({ steps: 10, abortable: true }),
      streamed: await checkedTurn({ steps: 10, streamed: true }),
    };
    const { generated, streamed } = await inTurn(kinds);
    return { generated: generated * 1e3, streamed: streamed * 1e3 };
  },

  /** Microseconds of a call of the calculator, through the executor. */
  async calculator() {
    const { calculate } = await subject.builtIn();
    assert.deepEqual(await calculate("2 + 2 * 3"), { result: 8 });
    const work = () => calculate("2 + 2 * 3");
    await warmUp(work);
    return { microseconds: (await nanoseconds(work, 0.5)) / 1e3 };
  },

  /** Milliseconds of binding 1,000 specifications, cold, to tools that share nothing with them. */
  async specification() {
    const { bind, specifications } = await subject.specification(1_000);
    await settle();
    let tools;
    const time = await elapsed(() => {
      tools = specifications.map(bind);
    });
    assert.deepEqual(
      tools.map(({ name }) => name),
      specifications.map(({ name }) => name),
    );
    return { bind: time };
  },

  /**
   * Milliseconds of merging workspaces that hold 10,000 tools, cold, and nanoseconds of a look-up in what they make. The
   * first look-up of a name makes its class, and isn't timed.
   */
  async registry() {
    const { merge, names } = await subject.registry(10_000);
    await settle();
    let registry;
    const time = await processorTime(() => {
      registry = merge();
    });
    for (const name of names) assert.equal(registry.tool(name).definition.name, name);
    let index = 0;
    const work = () => registry.tool(names[(index = (index + 7_919) % names.length)]);
    await warmUp(work);
    return { merge: time, lookup: await nanoseconds(work, quick ? 0.2 : 0.5) };
  },

  /** Milliseconds of a run of two steps whose first one searches the deferred tools. The first search makes the index, and isn't timed. */
  async search() {
    const { search } = subject.search(5_000);
    assert.equal((await search("archive an invoice")).length, 5);
    const work = () => search("archive an invoice");
    await warmUp(work);
    return { run: (await nanoseconds(work, quick ? 0.5 : 1)) / 1e6 };
  },

  /** Microseconds of reading a file of 4 KB as text: by the tool, through the executor, and as Node reads it. */
  async files() {
    const { directory, path, content, remove } = temporaryFile();
    const { read } = await subject.builtIn({ directory });
    assert.deepEqual(await read("file.txt"), { content, size: content.length });
    const { tool, plain } = await warmInTurn({ tool: () => read("file.txt"), plain: () => readFile(path, "utf8") });
    remove();
    return { tool: tool * 1e3, plain: plain * 1e3 };
  },

  /** Microseconds of asking a server of another process for 4 KB of text: by the guarded client, and by Node's. */
  async fetch() {
    const { url, content, stop } = await textServer();
    const { scrape } = await subject.builtIn();
    assert.deepEqual([(await scrape(url)).text, await nodeGet(url)], [content, content]);
    const { guarded, plain } = await warmInTurn({ guarded: () => scrape(url), plain: () => nodeGet(url) });
    stop();
    return { guarded: guarded * 1e3, plain: plain * 1e3 };
  },

  /** Microseconds of a call over MCP in memory, of the tool as Toolwright serves it and as the official SDK does. */
  async mcp() {
    const callers = await subject.mcp();
    for (const call of Object.values(callers)) assert.equal(await call(), expectedText);
    const { served, official } = await warmInTurn(callers, 4);
    return { served: served * 1e3, official: official * 1e3 };
  },

  /** A step that is recorded in a file, an append with fsync, the growth of a recorded run, and its bytes per step. */
  journal: () => subject.journal({ rounds: quick ? 3 : 5 }),

  /** Milliseconds of a run of the agent alone, and as a part of an evaluation. */
  evaluation: () => subject.evaluation({ rounds: quick ? 10 : 40, processorTime }),

  /**
   * Nanoseconds that the adapter of a framework adds to a call, by framework: the median of differences to a tool of the
   * framework's own that makes the same call of the executor by hand.
   */
  async adapters() {
    const figures = {};
    for (const [framework, [adapted, byHand]] of Object.entries(await subject.adapters())) {
      figures[framework] = await nanosecondsAdded(byHand, adapted, (text) => text);
    }
    return figures;
  },

  /** Milliseconds of 1,000 runs started at once, each with one tool of 5 ms. */
  async concurrent() {
    const { work } = await checkedTurn({ steps: 1, delay: 5 });
    const wave = async () => {
      const answers = await Promise.all(Array.from({ length: 1_000 }, () => work()));
      assert.ok(answers.every((text) => text === answer));
    };
    for (let index = 0; index < 4; index++) await wave();
    const times = [];
    for (let index = 0; index < (quick ? 5 : 9); index++) {
      await pause(20);
      times.push(await elapsed(wave));
    }
    return { milliseconds: median(times) };
  },
};

const figures = await sections[section]();
assert.equal(JSON.stringify([validArguments, invalidArguments]), given, `${subjectName} changed the caller's arguments`);
process.stdout.write(`${JSON.stringify(figures)}\n`);
// Timers that a subject left behind must not keep the process alive.
process.exit(0);
