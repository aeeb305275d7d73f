import type { Storage } from "../storage/index.js";
import { AgentMaker } from "./agent-maker.js";
import { RecordedRuntime } from "./recorded-runtime.js";
import { RunCarrier } from "./run-carrier.js";

/** Reads the runs of a storage and records decisions about them, and carries on none of them: that is left to the application. */
export class DecidingRuntime extends RecordedRuntime {
  constructor(storage: Storage) {
    const maker = new AgentMaker([], {}, "DecidingRuntime");
    super({
      storage,
      maker,
      carrier: new RunCarrier(storage, maker),
      nameOf: (agent) => (typeof agent === "string" ? agent : agent.definition.name),
      goOn: ({ journal }) => journal.close(),
      failureOf: () => undefined,
    });
  }
}
