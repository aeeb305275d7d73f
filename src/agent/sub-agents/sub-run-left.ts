import { markAsInterrupt } from "../../tool/internal.js";

/** A sub-agent's tool call throws it if its run goes on in another process, with the calling run: the call stays open. */
export class SubRunLeft extends Error {
  override readonly name = "SubRunLeft";

  constructor() {
    super("The run goes on in another process.");
    markAsInterrupt(this);
  }
}
