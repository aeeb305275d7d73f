/** A child process, or the promise of one: the id is there once it runs. */
interface Running {
  readonly pid: number | null;
}

const running = new Set<Running>();

function stopAll(): void {
  for (const { pid } of running) {
    try {
      if (pid !== null) process.kill(pid, "SIGTERM");
    } catch {
      // It has ended by itself.
    }
  }
}

/**
 * Stops the server when this process ends, also after an uncaught error. If a signal kills the process, none of its code runs.
 * The server's input ends all the same, and a server ends then (MCP, "Lifecycle", stdio). A listener on signals would
 * keep Node from ending by them, in every application. Gives a function to forget the server by.
 */
export function endWithProcess(server: Running): () => void {
  if (running.size === 0) process.on("exit", stopAll);
  running.add(server);
  return () => {
    running.delete(server);
    if (running.size === 0) process.off("exit", stopAll);
  };
}
