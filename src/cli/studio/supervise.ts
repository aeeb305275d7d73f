import { spawn } from "node:child_process";
import type { KeptStudio } from "../../studio/index.js";

/** What the supervising process sends to that of a studio. */
export type SupervisorMessage =
  /** The first message. `kept`: what the studio before left; `null` for the first studio. */
  { readonly type: "begin"; readonly kept: KeptStudio | null } | { readonly type: "interrupt" };

/** What the process of a studio sends before it ends: another one is to take its place. */
export interface ReplaceMessage {
  readonly type: "replace";
  readonly kept: KeptStudio;
}

/** The variable that says to a process that it is supervised. */
export const supervisedVariable = "TOOLWRIGHT_SUPERVISED";

/**
 * Runs this program again in a child process, and in another one each time that a studio asks for it. Modules can't be unloaded, so a
 * changed module needs a fresh process. Returns the exit code of the last one.
 */
export async function superviseStudio(): Promise<number> {
  let kept: KeptStudio | null = null;
  let interrupts = 0;
  let interrupt = (): void => undefined;
  process.on("SIGINT", () => {
    interrupts += 1;
    interrupt();
  });
  for (;;) {
    const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      env: { ...process.env, [supervisedVariable]: "1" },
    });
    const send = (message: SupervisorMessage): void => void (child.connected && child.send(message));
    interrupt = () => (interrupts > 1 ? void child.kill("SIGKILL") : send({ type: "interrupt" }));
    const end = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on("SIGTERM", end);
    send({ type: "begin", kept });
    let next: KeptStudio | undefined;
    child.on("message", (message) => {
      // Only the process of the studio has the other end.
      next = (message as ReplaceMessage).kept;
    });
    const exitCode = await new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? 1)));
    process.off("SIGTERM", end);
    if (next === undefined || interrupts > 0) return exitCode;
    kept = next;
  }
}
