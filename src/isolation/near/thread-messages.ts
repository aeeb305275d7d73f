import type { MessagePort } from "node:worker_threads";
import type { FarCall } from "../messages.js";

export interface ToThread {
  readonly id: number;
  readonly call: FarCall;
  /** Given to a thread that has none yet. The thread keeps it. */
  readonly port?: MessagePort;
}

/** The answer of a thread that has no port yet. It is asked again, with one. */
export const lacksPort = "lacks a port";
