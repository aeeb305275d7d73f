import { builtin } from "../../platform/index.js";
import type { FarCall, FarMessage } from "../messages.js";
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
    }),
  );
}

class ThreadPool implements Pool {
  readonly #piscina: Piscina;

  constructor(piscina: Piscina) {
    this.#piscina = piscina;
    piscina.on("error", warnOfStray);
  }

  run(call: FarCall, caller: Caller): SentCall {
    const { MessageChannel, receiveMessageOnPort } = builtin("node:worker_threads");
    const { port1: near, port2: far } = new MessageChannel();
    const ending = new AbortController();
    near.on("message", (message: FarMessage) => caller.received(message));
    const task = this.#piscina.run({ call, port: far }, { transferList: [far], signal: ending.signal });
    task.catch((error: unknown) => {
      // What the thread had sent before it ended.
      for (let sent = receiveMessageOnPort(near); sent !== undefined; sent = receiveMessageOnPort(near)) caller.received(sent.message);
      caller.lost(lossOf(error as NodeJS.ErrnoException));
      near.close();
    });
    return {
      send: (message) => near.postMessage(message),
      kill: () => ending.abort(),
      close: () => near.close(),
    };
  }
}

/** The error of a call whose thread ended: what its code threw outside of the call, or the pool's own. */
function lossOf(error: NodeJS.ErrnoException): Error {
  const { code, message } = error;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return new Error("The tool ended because the memory of its worker was full.", { cause: error });
  const exit = /^worker exited with code: (\d+)$/.exec(message);
  return exit === null ? strayError(error) : new Error(`The tool's worker ended with exit code ${exit[1]} before the call did.`);
}
