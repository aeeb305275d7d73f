import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { buildSync } from "esbuild";
import { repositoryRoot } from "../support/code-blocks.js";

/** What came of a function of one text. */
export interface Outcome {
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
  /** Milliseconds; the least of a few runs where the first took long, because others share the processor. */
  readonly time: number;
}

/** A thread of its own, with `memory` MB of heap, that runs an exported function of a source file. */
export interface LimitedWorker {
  /** Rejects where the function doesn't end within two seconds, or needs more memory. */
  run(text: string): Promise<Outcome>;
  stop(): Promise<unknown>;
}

const patience = 2_000;

/** `slow` in milliseconds: what took longer is run again, to know whether it was the text or the machine. */
export function limitedWorker(source: string, name: string, { memory, slow }: { memory: number; slow: number }): LimitedWorker {
  const { outputFiles } = buildSync({
    entryPoints: [join(repositoryRoot, source)],
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
  });
  const young = memory / 4;
  const worker = new Worker(
    `${outputFiles[0]?.text ?? ""}
     const { parentPort } = require("node:worker_threads");
     const work = module.exports[${JSON.stringify(name)}];
     const once = (text) => {
       const start = performance.now();
       let outcome;
       try {
         outcome = { value: work(text) };
       } catch ({ name, message }) {
         outcome = { error: { name, message } };
       }
       return { ...outcome, time: performance.now() - start };
     };
     parentPort.on("message", (text) => {
       let outcome = once(text);
       for (let left = 5; left > 0 && outcome.time > ${slow}; left--) outcome = once(text);
       parentPort.postMessage(outcome);
     });`,
    { eval: true, resourceLimits: { maxOldGenerationSizeMb: memory - young, maxYoungGenerationSizeMb: young } },
  );
  let pending: { readonly resolve: (outcome: Outcome) => void; readonly reject: (error: Error) => void } | undefined;
  worker.on("message", (outcome: Outcome) => pending?.resolve(outcome));
  worker.on("error", (error) => pending?.reject(error));
  return {
    run: async (text) => {
      const answer = new Promise<Outcome>((resolve, reject) => (pending = { resolve, reject }));
      const told = new Error(`no end within ${patience} ms: ${JSON.stringify(text.slice(0, 100))}`);
      const timer = setTimeout(() => pending?.reject(told), patience);
      worker.postMessage(text);
      return answer.finally(() => clearTimeout(timer));
    },
    stop: () => worker.terminate(),
  };
}
