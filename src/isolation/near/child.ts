import type { ChildProcess } from "node:child_process";
import { builtin } from "../../platform/index.js";
import { thrownOf } from "../error-form.js";
import type { FarCall, NearMessage } from "../messages.js";
import type { FromChild, ToChild } from "./child-messages.js";
import { cleanedEnvironment } from "./environment.js";
import { inheritedArguments } from "./execution-arguments.js";
import { type Caller, longestIdle, strayError, warnOfStray } from "./pool.js";

/** Who owns a process. */
interface Owner {
  ready(child: Child): void;
  /** `caller`: the call that it ran. */
  ended(child: Child, reason: Error, caller: Caller | undefined): void;
}

/** A process leads a group, so that those that its tools start end with it. Windows has no such groups. */
const leadsGroup = process.platform !== "win32";

/** A process in which tools run, one call at a time. */
export class Child {
  readonly #process: ChildProcess;
  readonly #owner: Owner;
  #current: { readonly id: number; readonly caller: Caller } | undefined;
  #calls = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #stray: { readonly error: unknown } | undefined;
  #hasEnded = false;

  constructor(file: string, environment: readonly string[], owner: Owner) {
    this.#owner = owner;
    this.#process = builtin("node:child_process").fork(file, [String(process.pid)], {
      env: cleanedEnvironment(environment),
      execArgv: inheritedArguments(process.execArgv),
      serialization: "advanced",
      // What tools print goes to the application's stderr: its stdout may be a protocol's.
      stdio: ["ignore", 2, 2, "ipc"],
      detached: leadsGroup,
    });
    this.#process.on("message", (message: FromChild) => this.#received(message));
    this.#process.once("exit", (code, signal) => this.#end(this.#reasonOf(code, signal)));
    this.#process.once("error", (error) => {
      if (this.#process.pid === undefined)
        this.#end(new Error(`No process could be started for the tool: ${error.message}`, { cause: error }));
    });
    // A tool may close the channel.
    this.#process.once("disconnect", () => this.kill());
  }

  run(call: FarCall, caller: Caller): void {
    clearTimeout(this.#idleTimer);
    this.#process.ref();
    this.#process.channel?.ref();
    this.#current = { id: ++this.#calls, caller };
    this.#post({ id: this.#calls, call });
  }

  send(message: NearMessage): void {
    this.#post({ id: this.#calls, message });
  }

  /** Waits for the next call, for a time. It doesn't keep the application alive. */
  rest(): void {
    this.#current = undefined;
    this.#process.unref();
    this.#process.channel?.unref();
    this.#idleTimer = setTimeout(() => this.kill(), longestIdle);
    this.#idleTimer.unref();
  }

  kill(): void {
    clearTimeout(this.#idleTimer);
    if (!this.#hasEnded) this.#killGroup();
  }

  #post(message: ToChild): void {
    // The end of the process is reported by itself.
    if (this.#process.connected) this.#process.send(message, ignoreFailure);
  }

  #received(message: FromChild): void {
    if ("isReady" in message) this.#owner.ready(this);
    else if ("stray" in message) this.#stray = { error: thrownOf(message.stray) };
    else if (message.id === this.#current?.id) this.#current.caller.received(message.message);
  }

  #end(reason: Error): void {
    if (this.#hasEnded) return;
    this.#killGroup();
    this.#hasEnded = true;
    clearTimeout(this.#idleTimer);
    const caller = this.#current?.caller;
    this.#current = undefined;
    if (caller === undefined && this.#stray !== undefined) warnOfStray(this.#stray.error);
    this.#owner.ended(this, reason, caller);
  }

  #killGroup(): void {
    const { pid } = this.#process;
    if (pid === undefined) return;
    try {
      process.kill(leadsGroup ? -pid : pid, "SIGKILL");
    } catch {
      // The group has ended.
    }
  }

  #reasonOf(code: number | null, signal: NodeJS.Signals | null): Error {
    if (this.#stray !== undefined) return strayError(this.#stray.error);
    if (signal === "SIGABRT") return new Error("The tool's process crashed (SIGABRT), most likely because its memory was full.");
    const how = signal === null ? `with exit code ${code}` : `by the signal ${signal}`;
    return new Error(`The tool's process ended ${how} before the call did.`);
  }
}

const ignoreFailure = (): void => undefined;
