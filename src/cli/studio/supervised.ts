import type { KeptStudio } from "../../studio/index.js";
import type { ReplaceMessage, SupervisorMessage } from "./supervise.js";

/** The process that started this one, and starts another in its place. */
export interface Supervisor {
  /** What the studio before left; `undefined` for the first studio. */
  readonly kept: KeptStudio | undefined;
  /** Calls `interrupt` on Ctrl-C. Returns a function that undoes this. */
  onInterrupt(interrupt: () => void): () => void;
  /** Asks for another process in place of this one, which is to end. */
  replace(kept: KeptStudio): Promise<void>;
}

/** The process that supervises this one. `lost` is to end this process: that one has ended. */
export async function joinSupervisor(lost: () => void): Promise<Supervisor> {
  // The terminal interrupts both processes: the supervisor says when to end.
  process.on("SIGINT", () => undefined);
  process.once("disconnect", lost);
  const kept = await new Promise<KeptStudio | null>((resolve) => {
    process.once("message", (message) => {
      const first = message as SupervisorMessage;
      if (first.type === "begin") resolve(first.kept);
    });
  });
  return {
    kept: kept ?? undefined,
    onInterrupt: (interrupt) => {
      const take = (message: unknown): void => {
        if ((message as SupervisorMessage).type === "interrupt") interrupt();
      };
      process.on("message", take);
      return () => void process.off("message", take);
    },
    replace: (next) =>
      new Promise((resolve, reject) => {
        const message: ReplaceMessage = { type: "replace", kept: next };
        process.send?.(message, undefined, undefined, (error) => (error === null ? resolve() : reject(error)));
      }),
  };
}
