import { Agent, type AgentClass, identifier, model, usesTools } from "../../../src/index.js";
import { approve } from "../../../src/confirmation/index.js";
import { InProcessRuntime, type InProcessRuntimeOptions, type RuntimeError } from "../../../src/durable/index.js";
import { loadDbos } from "../../../src/durable/dbos/load-dbos.js";
import { claimWorkerId } from "../../../src/durable/engine/sign-of-life.js";
import { ScriptedModel } from "../../../src/models/index.js";
import { type JournalEntry, MemoryStorage, type Storage } from "../../../src/storage/index.js";
import { errorOf, type Example, type Examples, firstLine, warningOf } from "./example.js";
import { agentWith, refund, RefundTool } from "./subjects.js";

const runtimes: InProcessRuntime[] = [];
// One that goes on would try its runs again, and warn while other tests run.
afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.drain({ deadline: 0 })));
});

function runtimeOn(storage: Storage, options: Partial<InProcessRuntimeOptions> = {}): InProcessRuntime {
  const runtime = new InProcessRuntime({ storage, agents: [agentWith([]).constructor as AgentClass], ...options });
  runtimes.push(runtime);
  return runtime;
}

/** A storage with a run that no process carries on. */
async function storageWith(...entries: readonly JournalEntry[]): Promise<Storage> {
  const storage = new MemoryStorage();
  const lease = await storage.leases.acquire("run run_1", "another process", 60_000);
  await storage.journals.append({ runId: "run_1", agent: "weather_agent", status: "running", position: 0, entries }, lease);
  await storage.leases.release(lease);
  return storage;
}

const began: JournalEntry = Object.assign(
  { kind: "began" },
  { version: 1, runId: "run_1", agent: "weather_agent", limits: {}, messages: [] },
);
const accepted: JournalEntry = Object.assign(
  { kind: "accepted" },
  { version: 1, runId: "run_1", agent: "weather_agent", prompt: "Hello", context: {}, options: {} },
);

/** What an application meets that uses a runtime. */
export const runtimeErrors: Examples<`RuntimeError: ${RuntimeError["reason"]}`> = {
  "RuntimeError: unknown_agent": [() => errorOf(() => runtimeOn(new MemoryStorage()).start("weather_agent", "Hello"))],
  "RuntimeError: draining": [
    async () => {
      const runtime = runtimeOn(new MemoryStorage());
      await runtime.drain();
      return errorOf(() => runtime.start("support_agent", "Hello", { runId: "run_1" }));
    },
  ],
  "RuntimeError: input": [
    () => errorOf(() => runtimeOn(new MemoryStorage()).start("support_agent", "Hello", { context: { user: { load: () => undefined } } })),
  ],
  "RuntimeError: unsupported": [
    () => {
      jest.doMock("@dbos-inc/dbos-sdk", () => {
        throw Object.assign(new Error("Cannot find module '@dbos-inc/dbos-sdk'"), { code: "MODULE_NOT_FOUND" });
      });
      return errorOf(() => loadDbos("createWorker")).finally(() => jest.dontMock("@dbos-inc/dbos-sdk"));
    },
  ],
  "RuntimeError: limit_exceeded": [
    async () => {
      const limits = { perKey: { key: () => "acme", concurrency: 3 }, whenExceeded: "reject" } as const;
      const runtime = runtimeOn(new MemoryStorage(), { limits, services: () => new Promise<never>(() => undefined) });
      for (const runId of ["1", "2", "3"]) await runtime.start("support_agent", "Hello", { runId });
      const error = await errorOf(() => runtime.start("support_agent", "Hello", { runId: "run_1" }));
      await runtime.drain({ deadline: 0 });
      return error;
    },
  ],
  "RuntimeError: in_use": [
    async () => {
      const storage = new MemoryStorage({ leaseDuration: 20 });
      const sign = await claimWorkerId(storage, "pod-1");
      return errorOf(() => claimWorkerId(storage, "pod-1")).finally(() => sign.end());
    },
  ],
};

export const expiredApproval: Example = async () => {
  const agent = agentWith([refund]).constructor as AgentClass;
  const runtime = runtimeOn(new MemoryStorage(), { agents: [agent], options: () => ({ confirmationTimeout: 1 }) });
  await runtime.start(agent, "Refund", { runId: "run_1" });
  while ((await runtime.pending()).length === 0) await soon();
  const error = await errorOf(() => runtime.decide("run_1", "call_1", approve("call_1")));
  return { ...error, message: error.message.replace(/until \S+Z/, "until 2026-11-29T14:00:00.000Z") };
};

export const notAccepted: Example = async () => {
  const storage = await storageWith(began);
  return errorOf(() => runtimeOn(storage).status("run_1"));
};

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));

export const runtimeWarnings: readonly Example[] = [
  async () => {
    const { conversations, journals, claims, leases } = new MemoryStorage();
    const away = async (): Promise<never> => Promise.reject(new Error("no database"));
    const held = { acquire: leases.acquire.bind(leases), renew: leases.renew.bind(leases), release: away };
    const journal = { conversations, journals, claims, leases: held };
    const { name, message } = firstLine(await warningOf(() => agentWith(["Done."]).generate("Hello", { journal, runId: "run_1" })));
    return { name, message: message.replace(/[-\d]+T[\d:.]+Z/, "2026-01-31T12:00:30.000Z") };
  },
  async () =>
    firstLine(
      await warningOf(async () => {
        const services = (): never => {
          throw new Error("no database");
        };
        await runtimeOn(new MemoryStorage(), { services }).start("support_agent", "Hello", { runId: "run_1" });
        await soon();
      }),
    ),
  () =>
    warningOf(async () => {
      runtimeOn(await storageWith(accepted));
      await soon();
    }),
  () =>
    warningOf(async () => {
      let isStaff = true;

      @identifier("support_agent")
      @model(new ScriptedModel([refund, "Done."]))
      @usesTools(() => (isStaff ? [RefundTool] : []))
      class SupportAgent extends Agent {}

      const storage = new MemoryStorage();
      const first = runtimeOn(storage, { agents: [SupportAgent] });
      await first.start(SupportAgent, "Refund", { runId: "run_1" });
      while ((await first.pending()).length === 0) await soon();
      await first.drain();
      const { leases, journals } = storage;
      const lease = await leases.acquire("run run_1", "a process without the agent", 60_000);
      const position = (await journals.head("run_1"))?.length ?? 0;
      const entry: JournalEntry = Object.assign({ kind: "decided" }, { decision: approve("call_1") });
      await journals.append({ runId: "run_1", agent: "support_agent", status: "running", position, entries: [entry] }, lease);
      await leases.release(lease);
      isStaff = false;
      runtimeOn(storage, { agents: [SupportAgent] });
      await soon();
    }),
];
