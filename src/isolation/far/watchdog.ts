import { Worker } from "node:worker_threads";

/**
 * Ends this process when the application has ended, even if it was killed and this process is in an endless loop: the thread's loop is
 * its own. Processes that tools started end too.
 */
export function endWith(application: number): void {
  const watchdog = new Worker(program, {
    eval: true,
    workerData: { application, target: endOfGroup() },
    // Loaders and settings of the application aren't for it.
    env: {},
    execArgv: [],
  });
  watchdog.unref();
}

/** What to kill: the group, which this process leads except on Windows. */
const endOfGroup = (): number => (process.platform === "win32" ? process.pid : -process.pid);

/** Ends this process, and those that tools started. */
export function endNow(): void {
  try {
    process.kill(endOfGroup(), "SIGKILL");
  } catch {
    process.kill(process.pid, "SIGKILL");
  }
}

// A parent that has ended is replaced by another.
const program = `
const { application, target } = require("node:worker_threads").workerData;
setInterval(() => {
  if (process.ppid === application) return;
  try {
    process.kill(target, "SIGKILL");
  } catch {
    process.kill(process.pid, "SIGKILL");
  }
}, 500);
`;
