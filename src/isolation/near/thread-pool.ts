import { EventEmitter } from "node:events";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { FarCall, FarMessage, FromCall, NearMessage, ToCall } from "../messages.js";
import { lacksPort, type ToThread } from "./thread-messages.js";
import { farSideFile } from "./far-side-file.js";
import { loadPiscina } from "./load-piscina.js";
import { type Caller, longestIdle, mostAtOnce, type Pool, type SentCall, strayError, warnOfStray } from "./pool.js";

type Piscina = InstanceType<Awaited<ReturnType<typeof loadPiscina>>>;

let pool: Promise<ThreadPool> | undefined;

/** The worker threads of this application, for the tools of all modules. */
export function loadThreadPool(module: string): Promise<Pool> {
  if (pool === undefined) {
    pool = makePool(module);
    pool.catch(() => (pool = undefined));
  }
  return pool;
}

async function makePool(module: string): Promise<ThreadPool> {
  const Piscina = await loadPiscina();
  return new ThreadPool(
    new Piscina({
      filename: farSideFile(module),
      // With none, the pool starts no other thread for waiting calls after all were killed.
      minThreads: 1,
      maxThreads: mostAtOnce(),
      idleTimeout: longestIdle,
      // A thread that waits for work in a blocking way would hold up what a tool's services do between calls.
      atomics: "disabled",
      recordTiming: false,
    }),
  );
}

interface ThreadCall {
  readonly caller: Caller;
  /** That of its thread, which is known when the first message comes. */
  port: MessagePort | undefined;
  /** What was sent before. */
  readonly early: NearMessage[];
  /** How the call ended, or whether its thread is free. */
  end?: FarMessage;
  isFree?: boolean;
}

/** The calls in the threads. Each thread gets a port with its first call, through which it talks about all of its calls. */
class ThreadPool implements Pool {
  readonly #piscina: Piscina;
  readonly #ports = new Set<MessagePort>();
  readonly #calls = new Map<number, ThreadCall>();
  #count = 0;

  constructor(piscina: Piscina) {
    this.#piscina = piscina;
    piscina.on("error", warnOfStray);
  }

  run(call: FarCall, caller: Caller): SentCall {
    if (this.#calls.size === 0) for (const port of this.#ports) port.ref();
    const id = ++this.#count;
    this.#calls.set(id, { caller, port: undefined, early: [] });
    // The pool takes one in place of an AbortSignal, which costs more than all else that it does for a call.
    const ending = new EventEmitter();
    void this.#submit({ id, call }, ending);
    return {
      send: (message) => this.#send(id, message),
      kill: () => {
        this.#forget(id);
        ending.emit("abort");
      },
      close: () => this.#forget(id),
    };
  }

  async #submit(given: ToThread, signal: EventEmitter): Promise<void> {
    try {
      const answer: unknown = await this.#piscina.run(given, { signal });
      if (answer === lacksPort && this.#calls.has(given.id)) {
        const port = this.#makePort(given.id);
        await this.#piscina.run({ ...given, port }, { signal, transferList: [port] });
      }
      this.#freed(given.id);
    } catch (error) {
      // What the thread had sent before it ended.
      for (const port of this.#ports) {
        for (let sent = receiveMessageOnPort(port); sent !== undefined; sent = receiveMessageOnPort(port))
          this.#received(port, sent.message);
      }
      this.#freed(given.id);
      const lost = this.#calls.get(given.id);
      this.#forget(given.id);
      lost?.caller.lost(lossOf(error as NodeJS.ErrnoException));
    }
  }

  #send(id: number, message: NearMessage): void {
    const call = this.#calls.get(id);
    if (call?.port !== undefined) call.port.postMessage({ id, message } satisfies ToCall);
    else {
      // Which thread has the call isn't known before it says something, and the others skip the message.
      for (const port of this.#ports) port.postMessage({ id, message } satisfies ToCall);
      call?.early.push(message);
    }
  }

  #makePort(id: number): MessagePort {
    const { port1: near, port2: far } = new MessageChannel();
    for (const message of this.#calls.get(id)?.early ?? []) near.postMessage({ id, message } satisfies ToCall);
    near.on("message", (message: FromCall) => this.#received(near, message));
    near.once("close", () => this.#ports.delete(near));
    this.#ports.add(near);
    return far;
  }

  #received(port: MessagePort, { id, message }: FromCall): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    call.port = port;
    // The pool would start another thread for a next call that comes before it knows that this one is free.
    if (message.kind === "done" && call.isFree !== true) call.end = message;
    else call.caller.received(message);
  }

  #freed(id: number): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    call.isFree = true;
    if (call.end !== undefined) call.caller.received(call.end);
  }

  /** Ports keep the application alive while a call runs. */
  #forget(id: number): void {
    if (this.#calls.delete(id) && this.#calls.size === 0) for (const port of this.#ports) port.unref();
  }
}

/** The error of a call whose thread ended: what its code threw outside of the call, or the pool's own. */
function lossOf(error: NodeJS.ErrnoException): Error {
  const { code, message } = error;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return new Error("The tool ended because the memory of its worker was full.", { cause: error });
  const exit = /^worker exited with code: (\d+)$/.exec(message);
  return exit === null ? strayError(error) : new Error(`The tool's worker ended with exit code ${exit[1]} before the call did.`);
}
