/**
 * The program of the threads and processes in which isolated tools run. A process serves the messages of its parent; in a thread, the pool
 * calls the default export.
 */
import { isMainThread, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { errorForm } from "./error-form.js";
import { FarRun } from "./far/far-run.js";
import { endNow, endWith } from "./far/watchdog.js";
import type { FarCall, FromCall, NearMessage, ToCall } from "./messages.js";
import type { FromChild, ToChild } from "./near/child-messages.js";
import { lacksPort, type ToThread } from "./near/thread-messages.js";

if (isMainThread && process.send !== undefined) serveParent((message, sent) => process.send?.(message, undefined, undefined, sent));
// What a tool prints mustn't come between the lines of a protocol that the application speaks there.
else if (!isMainThread) Object.defineProperty(process, "stdout", { configurable: true, enumerable: true, get: () => process.stderr });

/** The calls that run here: in a thread, one. */
const runs = new Map<number, FarRun>();

/** Through which this thread talks about its calls. */
let port: MessagePort | undefined;
/** Messages to calls that aren't here: one that waits for a free thread may come, and the others are elsewhere. */
const early = new Map<number, NearMessage>();

/** Runs a call in a thread. */
// biome-ignore lint/style/noDefaultExport: the pool calls it
export default async function runInThread({ id, call, port: given }: ToThread): Promise<typeof lacksPort | undefined> {
  if (given !== undefined) talkThrough(given);
  if (port === undefined) return lacksPort;
  const run = new FarRun(call, (message) => port?.postMessage({ id, message } satisfies FromCall));
  runs.set(id, run);
  for (let sent = receiveMessageOnPort(port); sent !== undefined; sent = receiveMessageOnPort(port)) received(sent.message as ToCall);
  const message = early.get(id);
  if (message !== undefined) run.received(message);
  for (const known of early.keys()) if (known <= id) early.delete(known);
  const isSound = await run.run();
  runs.delete(id);
  // The pool ends a thread only while it runs a call.
  if (!isSound) await new Promise(() => undefined);
  return undefined;
}

function talkThrough(given: MessagePort): void {
  port?.close();
  port = given;
  given.on("message", received);
}

function received({ id, message }: ToCall): void {
  const run = runs.get(id);
  if (run === undefined) early.set(id, message);
  else run.received(message);
}

function serveParent(send: (message: FromChild, sent?: () => void) => unknown): void {
  process.on("message", ({ id, call, message }: ToChild) => {
    if (call === undefined) runs.get(id)?.received(message);
    else void start(id, call);
  });
  const start = async (id: number, call: FarCall): Promise<void> => {
    const run = new FarRun(call, (message) => send({ id, message }));
    runs.set(id, run);
    await run.run();
    runs.delete(id);
  };
  process.on("disconnect", endNow);
  process.on("uncaughtException", (error: unknown) => {
    send({ stray: errorForm(error) }, endNow);
  });
  endWith(Number(process.argv[2]));
  send({ isReady: true });
}
