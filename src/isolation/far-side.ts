/**
 * The program of the threads and processes in which isolated tools run. A process serves the messages of its parent; in a thread, the pool
 * calls the default export.
 */
import { isMainThread, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { errorForm } from "./error-form.js";
import { FarRun } from "./far/far-run.js";
import { endNow, endWith } from "./far/watchdog.js";
import type { FarCall, FarMessage, NearMessage } from "./messages.js";
import type { FromChild, ToChild } from "./near/child-messages.js";

if (isMainThread && process.send !== undefined) serveParent((message, sent) => process.send?.(message, undefined, undefined, sent));
// What a tool prints mustn't come between the lines of a protocol that the application speaks there.
else if (!isMainThread) Object.defineProperty(process, "stdout", { configurable: true, enumerable: true, get: () => process.stderr });

/** One call in a thread, which talks through the port. */
// biome-ignore lint/style/noDefaultExport: the pool calls it
export default async function runInThread({ call, port }: { readonly call: FarCall; readonly port: MessagePort }): Promise<void> {
  const run = new FarRun(call, (message: FarMessage) => port.postMessage(message));
  // A call that waited for a free thread may be over.
  const early = receiveMessageOnPort(port) as { readonly message: NearMessage } | undefined;
  if (early !== undefined) run.received(early.message);
  port.on("message", (message: NearMessage) => run.received(message));
  await run.run();
  port.close();
}

function serveParent(send: (message: FromChild, sent?: () => void) => unknown): void {
  const runs = new Map<number, FarRun>();
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
