import { statSync } from "node:fs";
import { resolve } from "node:path";
import { providerDialects } from "../../schema/internal.js";
import type { Storage } from "../../storage/index.js";
import { type Studio, StudioError, startStudio, type StudioSubjects } from "../../studio/index.js";
import { chatAgent } from "../chat/chat-agent.js";
import type { CommandModule, CommandOptions } from "../command-table.js";
import { CommandError, exitCodes, UsageError } from "../exit-codes.js";
import { type Host, writeJson } from "../host.js";
import { type Definitions, loadDefinitions } from "../modules/definitions.js";
import { portOf } from "../modules/port.js";
import { readContext } from "../modules/load-modules.js";
import { deciderOf } from "../runs/decider.js";
import { storageAt, storagesIn } from "../runs/open-storage.js";
import { counted } from "../text/counted.js";
import { findingsIn } from "./check.js";

export const run: CommandModule["run"] = async (operands, options, host) => {
  const port = portOf(options.port);
  const context = readContext(options.context, host);
  const loadedAt = Date.now();
  const definitions = await loadDefinitions(operands, options, host);
  const stopped = new Promise<void>((done) => {
    host.onInterrupt(done);
  });
  const studio = await start({ ...subjectsOf(definitions, options, loadedAt, host), context }, port, options, host);
  const { tools, agents } = definitions;
  if (studio.hasOtherPort) host.errors.write(`Port 4650 is taken, perhaps by another studio: this one has port ${studio.port}.\n`);
  host.errors.write(`${counted(tools.length, "tool")} and ${counted(agents.length, "agent")}. Open ${studio.url}\nCtrl-C ends it.\n`);
  if (options.json === true) await writeJson(host, { url: studio.url });
  await stopped;
  await studio.close();
  return exitCodes.interrupted;
};

async function start(subjects: StudioSubjects, port: number | undefined, { allowProduction }: CommandOptions, host: Host): Promise<Studio> {
  try {
    return await startStudio({
      ...subjects,
      page: host.studioPage,
      mode: host.env.NODE_ENV,
      allowProduction: allowProduction === true,
      ...(port !== undefined && { port }),
    });
  } catch (error) {
    throw error instanceof StudioError ? new CommandError(error.message) : error;
  }
}

function subjectsOf(definitions: Definitions, options: CommandOptions, loadedAt: number, host: Host): Omit<StudioSubjects, "context"> {
  const files = new Set([...definitions.tools, ...definitions.agents, ...definitions.broken].map(({ module }) => module));
  const storage = storageOf(definitions, options, host);
  const decidedBy = deciderOf(options, host);
  const [runtime] = options.storage === undefined && definitions.runtimes.length === 1 ? definitions.runtimes : [];
  return {
    tools: definitions.tools,
    agents: definitions.agents.map((found) => ({ agent: found.agent, module: found.module, make: () => chatAgent(found) })),
    findings: findingsIn(definitions, providerDialects),
    ...(storage !== undefined && { storage }),
    ...(runtime !== undefined && { runtime }),
    ...(decidedBy !== undefined && { decidedBy }),
    changedFiles: () => [...files].filter((file) => changedSince(resolve(host.directory, file), loadedAt)),
  };
}

function storageOf(definitions: Definitions, { storage }: CommandOptions, host: Host): Storage | undefined {
  if (storage !== undefined) return storageAt(storage, host);
  const [found, second] = storagesIn(definitions);
  if (second !== undefined)
    throw new UsageError("The modules export several storages. Name one: --storage ./data, or the address of a database.");
  return found;
}

/** A file that was removed has changed, too. */
function changedSince(path: string, time: number): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) > time;
}
