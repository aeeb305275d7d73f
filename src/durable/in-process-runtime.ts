import type { AgentClass } from "../agent/index.js";
import type { Storage } from "../storage/index.js";
import { checkOptionNames, type OptionNames } from "../tool/internal.js";
import { AgentMaker, checkAgents, type RunServices } from "./agent-maker.js";
import { RecordedRuntime } from "./recorded-runtime.js";
import { type OnRuntimeError, reportTo } from "./report-error.js";
import { RunCarrier } from "./run-carrier.js";
import { RunGate } from "./run-gate.js";
import { checkLimits, type ProcessRunLimits } from "./run-limits.js";
import { RunSweep } from "./run-sweep.js";

/** Options of `InProcessRuntime`. See docs/20-runtimes.md. */
export interface InProcessRuntimeOptions extends RunServices {
  /** The storage of the runs. */
  readonly storage: Storage;
  /** The agents whose runs this process carries on. */
  readonly agents: readonly AgentClass[];
  /** Limits for the runs that go on in this process. Default: none. See docs/27-limits.md. */
  readonly limits?: ProcessRunLimits;
  /**
   * Receives what went wrong while a run was carried on, or while the storage was searched for runs to take over. It is tried again.
   * Default: a process warning.
   */
  readonly onError?: OnRuntimeError;
}

const optionNames: OptionNames<InProcessRuntimeOptions> = {
  storage: true,
  agents: true,
  limits: true,
  services: true,
  options: true,
  onError: true,
};

/**
 * Carries out runs in this process, and records them, so that another process can go on with them. It takes over the runs of processes that
 * ended: at its start, and after each `leaseDuration` of the storage.
 *
 * ```ts
 * const runtime = new InProcessRuntime({ storage: new FileStorage("./data"), agents: [SupportAgent] });
 * await runtime.start(SupportAgent, "Refund order 7", { runId: "order-7", context: { userId: "42" } });
 * const { text } = await runtime.result("order-7");
 * ```
 *
 * See docs/20-runtimes.md.
 */
export class InProcessRuntime extends RecordedRuntime {
  constructor(options: InProcessRuntimeOptions) {
    checkOptionNames(options, optionNames, "InProcessRuntime");
    const { storage, agents, limits = {}, onError } = options;
    checkAgents(agents, "InProcessRuntime");
    const maker = new AgentMaker(agents, options, "InProcessRuntime");
    checkLimits(limits, "InProcessRuntime", { concurrency: true });
    const gate = new RunGate(limits, "InProcessRuntime");
    const carrier = new RunCarrier(storage, maker, (run, error) => sweep.left(run, error), gate);
    const sweep = new RunSweep(storage, maker, carrier, reportTo(onError));
    super({
      storage,
      maker,
      carrier,
      nameOf: (agent) => maker.classOf(typeof agent === "string" ? agent : agent.definition.name).definition.name,
      check: (accepted) => void gate.keyOf(accepted),
      admit: async (accepted) => (await gate.admit(accepted)).end,
      goOn: async (opened) => {
        if (carrier.isDraining || !maker.knows(opened.accepted.agent)) await opened.journal.close();
        else carrier.carry(opened);
      },
      failureOf: (runId) => sweep.failureOf(runId),
    });
  }
}
