import { createRequire } from "node:module";
import type { MessagePort } from "node:worker_threads";

/** A file that Node loaded, and when, in milliseconds since 1970. */
export interface LoadedFile {
  readonly path: string;
  readonly at: number;
}

/** Whether a file is the application's own. */
export const isOfApplication = (path: string): boolean => path !== "" && !/[\\/]node_modules[\\/]/.test(path);

/** When a file was required, of those that no hook is asked about. */
const requiredAt = new Map<string, number>();

/** Notes that a file is required now. */
export const noteRequired = (path: string): void => void requiredAt.set(path, Date.now());

/** Returns a function that lists the application's files that were loaded, as the hooks report them through a port. */
export function collectLoadedFiles(port: MessagePort): () => readonly LoadedFile[] {
  const begunAt = Date.now();
  const reported = new Map<string, LoadedFile>();
  port.on("message", (file: LoadedFile) => reported.set(file.path, file));
  // It doesn't keep the process.
  port.unref();
  return () => {
    // Node 20 asks no hook about the files that CommonJS requires.
    const required = Object.keys(createRequire(import.meta.url).cache).filter((path) => isOfApplication(path) && !reported.has(path));
    return [...reported.values(), ...required.map((path) => ({ path, at: requiredAt.get(path) ?? begunAt }))];
  };
}
