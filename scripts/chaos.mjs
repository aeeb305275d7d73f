/**
 * npm run chaos [-- --schedules 100 --seed 20261130 --forms file,sqlite,postgres,dbos] [--matrix]
 *
 * Kills processes that carry on runs, at random moments, and checks what became of the world: each effect happened as often as its tool
 * allows, also those of sub-agents, no decision was lost, what the model was told is true, and a conversation has each turn once. The last
 * line is the verdict.
 *
 * --matrix: one schedule for each moment, form and number of workers instead of random ones. With one worker, a kill
 * that never happens is a fault there; of two, the other one may do the work each time.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { nodeWithSqlite, startPostgres } from "./services.mjs";

const { values: options } = parseArgs({
  options: {
    schedules: { type: "string", default: "100" },
    // Other schedules each day.
    seed: { type: "string", default: new Date().toISOString().slice(0, 10).replaceAll("-", "") },
    forms: { type: "string", default: "file,sqlite,postgres,dbos" },
    matrix: { type: "boolean", default: false },
  },
});

const moments = [
  "before a write",
  "within a write",
  "after a write",
  "in a model call",
  "in a tool, before its effect",
  "in a tool, after its effect",
  "between two parallel calls",
  "while waiting",
  "after a decision",
  "in a model call of a sub-agent",
];
/** Runs of one conversation. None of them asks a person: the next would give it up. */
const momentsOfConversations = ["after a write", "before a save of a conversation", "after a save of a conversation"];
const leaseDuration = 300;
const longest = 60_000;
/** How often a schedule of the matrix is tried until its kill happens: of two workers, the other one may be faster. */
const mostTries = 5;

const folder = mkdtempSync(join(tmpdir(), "toolwright-chaos-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Numbers from a seed, by mulberry32. */
function numbersFrom(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const matrixRuns = { a: [["pay"], ["refund", "mail"]], b: [["look", "pay", "pay", "refund"]], c: [["helper"], ["look", "helper"]] };

/** The first, and one in the middle of the runs. */
const countsOf = (point) => (["after a decision", "while waiting", "between two parallel calls"].includes(point) ? [1, 2] : [1, 3]);

/** One worker that is killed at a moment, and those that follow it until the runs have ended. */
function* schedulesOf(forms) {
  if (options.matrix) {
    for (const form of forms)
      for (const workers of form === "file" ? [1] : [1, 2])
        for (const point of moments)
          for (const count of countsOf(point)) yield { form, workers, kills: [{ point, count }], runs: matrixRuns };
    // The next process decides, but hasn't the agent: another one takes the decision.
    for (const form of forms)
      yield { form, workers: 1, kills: [{ point: "while waiting", count: 1 }], decidesWithoutAgent: true, runs: matrixRuns };
    for (const count of forms.includes("file") ? [1, 3] : [])
      yield { form: "file", workers: 1, kills: [{ point: "between a write to a file and its sync", count }], runs: matrixRuns };
    for (const form of forms)
      for (const workers of form === "file" ? [1] : [1, 2])
        for (const point of momentsOfConversations)
          for (const count of [1, 3])
            yield { form, workers, kills: [{ point, count }], runs: { a: [["pay"]], b: [["helper"], ["mail"]] }, conversation: "ada" };
    return;
  }
  for (let number = 0; number < Number(options.schedules); number++) {
    const random = numbersFrom(Number(options.seed) * 100_003 + number);
    const form = forms[random(forms.length)];
    const conversation = random(3) === 0 ? "ada" : undefined;
    const names = ["pay", "mail", "look", "helper", ...(conversation === undefined ? ["refund"] : [])];
    const steps = () =>
      Array.from({ length: 1 + random(3) }, () => Array.from({ length: 1 + random(3) }, () => names[random(names.length)]));
    const runs = Object.fromEntries(Array.from({ length: 1 + random(3) }, (_, index) => [`run-${index}`, steps()]));
    const points = conversation === undefined ? moments : [...moments, ...momentsOfConversations];
    const kills = Array.from({ length: random(5) }, () => ({ point: points[random(points.length)], count: 1 + random(6) }));
    yield { form, workers: form === "file" ? 1 : 1 + random(2), kills, runs, ...(conversation !== undefined && { conversation }) };
  }
}

function storageOf(form, name) {
  if (form === "postgres" || form === "dbos") return { kind: form, url: postgres.url, schema: `chaos_${process.pid}_${name}` };
  return { kind: form, path: join(folder, form === "sqlite" ? `${name}.sqlite` : name) };
}

let writesKilled = 0;

/** Runs one worker to its end. `lines`: what it said. */
function work(task) {
  return new Promise((resolve) => {
    let isLate = false;
    const child = spawn(node, ["--no-warnings", "scripts/chaos/worker.mjs", JSON.stringify(task)], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    let failure = "";
    child.stdout.on("data", (data) => {
      said += data;
      // Another moment of the write each time, which takes some milliseconds.
      if (String(data).includes('"isWriting"')) setTimeout(() => child.kill("SIGKILL"), writesKilled++ % 4);
    });
    child.stderr.on("data", (data) => (failure += data));
    const late = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, longest);
    child.once("close", (code, signal) => {
      clearTimeout(late);
      const lines = said
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
      const isKilled = signal === "SIGKILL" && !isLate;
      resolve({ lines, isKilled, failure: code === 0 || isKilled ? undefined : `${isLate ? "It didn't end. " : ""}${said}${failure}` });
    });
  });
}

async function carryOut({ form, workers, kills, runs, conversation, decidesWithoutAgent = false }, name) {
  const world = join(folder, `${name}.world`);
  writeFileSync(world, "");
  const base = { storage: storageOf(form, name), world, runs, conversation, leaseDuration, hasAgent: true };
  const left = [...kills];
  let responses = [];
  let stored;
  const failures = [];
  let killed = 0;
  // Processes that ended otherwise with work left, and leases that were lost on a busy machine.
  let cutOff = 0;
  // Each process is followed by another until one of them has seen all runs end.
  const lane = async (isFirst) => {
    for (let attempt = 0; attempt < kills.length + 4 && responses.length === 0; attempt++) {
      const kill = left.shift();
      // A process that decides, but hasn't the agent: its decisions are taken by the next.
      if (attempt === 1 && decidesWithoutAgent) await work({ ...base, decides: true, hasAgent: false });
      if (kill !== undefined && attempt % 2 === 1) await work({ ...base, decides: true, hasAgent: false });
      const { lines, isKilled, failure } = await work({ ...base, decides: isFirst || attempt > 0, ...(kill !== undefined && { kill }) });
      if (isKilled) killed += 1;
      cutOff += lines.filter(({ isLost, isAway }) => isLost || isAway).length;
      // A store that is busy for too long on a slow disk ends a process like a kill: the next one goes on.
      if (failure !== undefined && !lines.some(({ isAway }) => isAway)) failures.push(failure);
      const ended = lines.filter(({ runId }) => runId !== undefined);
      if (isKilled || ended.length !== Object.keys(runs).length) continue;
      responses = ended;
      stored = lines.find((line) => line.conversation !== undefined)?.conversation;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, index) => lane(index === 0)));
  const events = readFileSync(world, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { responses, events, failures, stored, killed, wasCutOff: killed + cutOff > 0 };
}

/** What is wrong; empty if all is well. */
function faultsOf({ workers, runs, conversation, decidesWithoutAgent }, { responses, events, failures, stored, killed, wasCutOff }) {
  const faults = failures.map((failure) => `a process failed: ${failure.slice(0, 300)}`);
  if (options.matrix && workers === 1 && killed === 0) faults.push("the kill never happened");
  if (decidesWithoutAgent && !events.some(({ kind, hasAgent }) => kind === "decision" && !hasAgent))
    faults.push("the process without the agent decided nothing");
  if (responses.length !== Object.keys(runs).length) return [...faults, "not every run ended"];
  for (const { runId, reason, messages } of responses) {
    const fault = (text) => faults.push(`${runId}: ${text}`);
    if (reason !== "success") fault(`ended with ${reason}`);
    const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
    const results = messages.filter(({ role }) => role === "tool");
    if (calls.length !== results.length) fault(`${calls.length} calls have ${results.length} results`);
    const wanted = runs[runId].flat();
    if (calls.map(({ name }) => name).join() !== wanted.join()) fault(`called ${calls.map(({ name }) => name)} instead of ${wanted}`);
    for (const { id, name } of calls) {
      // What a sub-agent did, it did in a run of its own.
      const isOf = (event) => (name === "helper" ? event.runId === `${runId}/${id}` : event.runId === runId && event.callId === id);
      const effects = events.filter((event) => event.kind === "effect" && isOf(event));
      const decisions = events.filter((event) => event.kind === "decision" && event.runId === runId && event.callId === id);
      const isAsked = events.some((event) => event.kind === "asked" && event.runId === runId && event.callId === id);
      const told = results.find(({ toolCallId }) => toolCallId === id)?.content ?? "";
      const isDone = /^(Paid|Mailed|Seen|Refunded)\.$/.test(told);
      const isUnknown = /isn't known|may have taken effect/.test(told);
      if (isDone && effects.length === 0) fault(`${name} ${id}: told "${told}", and nothing was done`);
      if (!isDone && !isUnknown && effects.length > 0) fault(`${name} ${id}: told "${told}", and it was done`);
      if (isUnknown && (name === "mail" || name === "look")) fault(`${name} ${id}: told "${told}", and it may run again`);
      if (isUnknown && !wasCutOff) fault(`${name} ${id}: told "${told}", and no process was killed`);
      if (["pay", "refund", "helper"].includes(name) && effects.length > 1) fault(`${name} ${id}: done ${effects.length} times`);
      if (new Set(effects.map(({ key }) => key)).size > 1) fault(`${name} ${id}: two keys`);
      if (name === "refund" && effects.length > 0 && !isAsked) fault(`${name} ${id}: done without a decision`);
      if (decisions.filter(({ isUnknown }) => !isUnknown).length > 1) fault(`${name} ${id}: a decision was lost`);
    }
  }
  if (conversation !== undefined) {
    const said = (messages) => messages.map((message) => JSON.stringify([message.role, message.content, message.toolCalls]));
    const turns = responses.map(({ messages }) => said(messages).join("\n")).sort();
    const prompts = (stored?.messages ?? []).flatMap(({ role }, index) => (role === "user" ? [index] : []));
    const kept = prompts.map((start, index) => said(stored.messages.slice(start, prompts[index + 1])).join("\n")).sort();
    if (kept.join("\n\n") !== turns.join("\n\n"))
      faults.push(`the conversation has ${JSON.stringify(kept)} instead of ${JSON.stringify(turns)}`);
  }
  return faults;
}

if (!existsSync("dist/esm/durable/index.js")) throw new Error("Build the package first: npm run build");
const forms = options.forms.split(",");
const node = forms.includes("sqlite") ? nodeWithSqlite() : process.execPath;
const postgres = forms.some((form) => form === "postgres" || form === "dbos") ? await startPostgres() : undefined;
let number = 0;
let planned = 0;
let kills = 0;
let broken = 0;
for (const schedule of schedulesOf(forms)) {
  let outcome;
  let faults = [];
  for (let tries = options.matrix ? mostTries : 1; tries > 0 && faults.length === 0 && !(outcome?.killed > 0); tries--) {
    outcome = await carryOut(schedule, `s${number}_${tries}`);
    faults = faultsOf(schedule, outcome);
  }
  planned += schedule.kills.length;
  kills += outcome.killed;
  if (faults.length > 0) {
    broken += 1;
    console.log(`Schedule ${number}: ${JSON.stringify(schedule)}`);
    for (const fault of faults) console.log(`  ${fault}`);
  } else if (options.matrix) {
    const { form, workers, kills, decidesWithoutAgent } = schedule;
    const then = decidesWithoutAgent ? ", then a decision that no process is there to take" : "";
    console.log(
      `${form}, ${workers} at once, ${kills[0].point} (${kills[0].count})${then}: ${outcome.killed > 0 ? "" : "not killed, the other worker was faster; "}well`,
    );
  }
  number += 1;
}
await postgres?.stop();
console.log(
  `${number} schedules${options.matrix ? "" : ` of seed ${options.seed}`}, ${kills} of ${planned} kills happened, ${broken} broken: ${broken === 0 ? "well" : "NOT WELL"}`,
);
// The Postgres of the tests ends the process by itself when it can, with 0.
process.exit(broken === 0 ? 0 : 1);
