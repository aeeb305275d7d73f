/**
 * A process of the chaos test: it carries on runs, and kills itself at the moment that it is given. Within a write, its parent kills it.
 * What its tools do to the world is a line of a file each, which no crash takes back.
 */
import { appendFileSync, writeSync } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { Agent, approve, createTool, deny, description, identifier, model, usesTools } from "toolwright";
import { createWorker, DbosRuntime, InProcessRuntime } from "toolwright/durable";
import { FileStorage, PostgresStorage, SqliteStorage } from "toolwright/storage";

const { storage: form, world, runs, conversation, kill, decides, hasAgent, leaseDuration } = JSON.parse(process.argv[2]);

const die = () => process.kill(process.pid, "SIGKILL");
const passed = {};

function isMoment(name) {
  passed[name] = (passed[name] ?? 0) + 1;
  return kill?.point === name && kill.count === passed[name];
}

/** Kills the process if this is the moment. */
function point(name) {
  if (isMoment(name)) {
    die();
    // The signal comes when the event loop turns; nothing else may happen before.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
  }
}

const note = (kind, value) => appendFileSync(world, `${JSON.stringify({ kind, ...value })}\n`);
const say = (value) => writeSync(1, `${JSON.stringify(value)}\n`);
const shortly = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function openStorage() {
  if (form.kind === "file") return new FileStorage(form.path, { leaseDuration });
  if (form.kind === "sqlite") return new SqliteStorage(form.path, { leaseDuration });
  return new PostgresStorage({ connectionString: form.url }, { schema: form.schema, leaseDuration });
}

/** Puts the moments around and within the writes of a storage, and reports leases that were lost: their calls are cut off as by a kill. */
function addPoints({ journals, conversations, leases }) {
  const append = journals.append.bind(journals);
  journals.append = async (entries, lease) => {
    point("before a write");
    if (isMoment("within a write")) say({ isWriting: true });
    try {
      await append(entries, lease);
    } catch (error) {
      if (error?.name === "LeaseLostError") say({ isLost: true });
      throw error;
    }
    point("after a write");
    if (entries.status === "waiting") point("while waiting");
  };
  const renew = leases.renew.bind(leases);
  leases.renew = async (...asked) => {
    const renewed = await renew(...asked);
    if (renewed === undefined) say({ isLost: true });
    return renewed;
  };
  const save = conversations.save.bind(conversations);
  conversations.save = async (...asked) => {
    point("before a save of a conversation");
    await save(...asked);
    point("after a save of a conversation");
  };
}

/** Puts a moment between the bytes of a file and their way to the disk. */
async function addPointToFiles() {
  const handle = await openFile(world, "a");
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const { datasync } = prototype;
  prototype.datasync = function () {
    point("between a write to a file and its sync");
    return datasync.call(this);
  };
}

/** The calls that run, by run. */
const running = new Map();

const toolThat = (name, said, options) =>
  createTool({
    name,
    description: `Does ${name}. Use to test.`,
    inputSchema: { type: "object" },
    ...options,
    async execute(_, { runId, callId, idempotencyKey }) {
      const beside = running.get(runId) ?? new Set();
      running.set(runId, beside.add(callId));
      point("in a tool, before its effect");
      await shortly(2);
      note("effect", { tool: name, runId, callId, key: idempotencyKey });
      point("in a tool, after its effect");
      if (beside.size > 1) point("between two parallel calls");
      await shortly(2);
      beside.delete(callId);
      return said;
    },
  });

const tools = [
  toolThat("pay", "Paid.", { effect: "once" }),
  toolThat("mail", "Mailed.", { effect: "idempotent" }),
  toolThat("look", "Seen.", { effect: "none" }),
  toolThat("refund", "Refunded.", { effect: "once", requiresConfirmation: true }),
];

/** Answers by how many answers the history has, so that each process goes on with the same script. */
const scripted = {
  id: "chaos",
  async generate({ messages }) {
    point("in a model call");
    await shortly(1);
    const prompt = messages.findLastIndex(({ role }) => role === "user");
    const steps = runs[messages[prompt].content];
    const calls = steps[messages.slice(prompt).filter(({ role }) => role === "assistant").length] ?? [];
    const toolCalls = calls.map((name, index) => ({
      id: `call_${messages.length}_${index}`,
      name,
      arguments: name === "helper" ? '{"prompt":"Pay."}' : "{}",
    }));
    const usage = { inputTokens: 1, outputTokens: 1 };
    return { text: toolCalls.length === 0 ? "Done." : "", toolCalls, finishReason: toolCalls.length === 0 ? "stop" : "tool_calls", usage };
  },
};

/** Pays once, and answers with what it reads of that. */
const payer = {
  id: "chaos helper",
  async generate({ messages }) {
    point("in a model call of a sub-agent");
    await shortly(1);
    const usage = { inputTokens: 1, outputTokens: 1 };
    const last = messages.at(-1);
    if (last.role === "tool") return { text: last.content, toolCalls: [], finishReason: "stop", usage };
    return { text: "", toolCalls: [{ id: "call_pay", name: "pay", arguments: "{}" }], finishReason: "tool_calls", usage };
  },
};

class HelperAgent extends Agent {}
identifier("helper")(HelperAgent);
description("Pays. Use to test.")(HelperAgent);
model(payer)(HelperAgent);
usesTools([tools[0]])(HelperAgent);

class ShopAgent extends Agent {}
identifier("shop")(ShopAgent);
model(scripted)(ShopAgent);
usesTools([...tools, HelperAgent])(ShopAgent);

class OtherAgent extends Agent {}
identifier("other")(OtherAgent);
model(scripted)(OtherAgent);

const problems = [];
const onError = (error) => problems.push(String(error?.message ?? error));

/** The runtime with its storage. DBOS gives the work of a process that has the agent. */
async function open() {
  if (form.kind === "dbos") {
    const runtime = new DbosRuntime({ connectionString: form.url, schema: form.schema, leaseDuration });
    const { storage } = runtime;
    addPoints(storage);
    const worker = hasAgent ? await createWorker(runtime, { agents: [ShopAgent], version: "1", onError }) : undefined;
    const close = async () => {
      await (worker ?? runtime).drain({ deadline: 1_000 });
      await runtime.close();
    };
    return { runtime, storage, close };
  }
  const storage = openStorage();
  addPoints(storage);
  const runtime = new InProcessRuntime({ storage, agents: [hasAgent ? ShopAgent : OtherAgent], onError });
  const close = async () => {
    await runtime.drain({ deadline: 1_000 });
    await storage.close();
  };
  return { runtime, storage, close };
}

if (form.kind === "file") await addPointToFiles();
const { runtime, storage, close } = await open();

/** A call whose outcome isn't known is denied, all others are approved. */
async function decideAll() {
  for (const { runId, callId, confirmation } of await runtime.pending()) {
    const isUnknown = confirmation.outcomeUnknown === true;
    note("asked", { runId, callId });
    try {
      await runtime.decide(runId, callId, isUnknown ? deny(confirmation) : approve(confirmation));
      note("decision", { runId, callId, isUnknown, hasAgent });
      point("after a decision");
    } catch (error) {
      if (!["DecisionError", "LeaseHeldError"].includes(error?.name)) throw error;
    }
  }
}

try {
  if (hasAgent)
    for (const runId of Object.keys(runs))
      await runtime.start("shop", runId, { runId, ...(conversation !== undefined && { conversation }) });
  for (;;) {
    const statuses = await Promise.all(Object.keys(runs).map((runId) => runtime.status(runId).catch(() => undefined)));
    if (statuses.every((one) => one?.status === "ended")) break;
    if (!hasAgent && statuses.every((one) => one === undefined || one.pending.length === 0)) break;
    if (!decides && statuses.every((one) => one === undefined || one.status === "ended" || one.pending.length > 0)) break;
    if (decides) await decideAll();
    await shortly(10);
  }
  if (hasAgent && decides) {
    for (const runId of Object.keys(runs)) say({ runId, ...(await runtime.result(runId)), steps: undefined });
    if (conversation !== undefined) say({ conversation: await storage.conversations.load(conversation) });
  }
  await close();
  say({ over: true });
} catch (error) {
  say({ failed: `${error?.name}: ${error?.message}`, isAway: error?.name === "StorageError" && error.reason === "unavailable", problems });
  process.exit(1);
}
