import { statSync } from "node:fs";
import { relative } from "node:path";
import { redactText } from "../../redaction/index.js";
import { providerDialects } from "../../schema/internal.js";
import type { Storage } from "../../storage/index.js";
import { type Studio, StudioError, type StudioOptions, startStudio, type StudioSubjects } from "../../studio/index.js";
import { chatAgent } from "../chat/chat-agent.js";
import type { CommandModule, CommandOptions } from "../command-table.js";
import { CommandError, exitCodes, UsageError } from "../exit-codes.js";
import { type Host, writeJson } from "../host.js";
import { choosingAgents, type Definitions, definitionsIn, loadDefinitions } from "../modules/definitions.js";
import { portOf } from "../modules/port.js";
import { namesModules, readContext } from "../modules/load-modules.js";
import { deciderOf } from "../runs/decider.js";
import { storageAt, storagesIn } from "../runs/open-storage.js";
import { counted } from "../text/counted.js";
import { findingsIn } from "./check.js";

export const run: CommandModule["run"] = async (operands, options, host) => {
  const port = portOf(options.port);
  const context = readContext(options.context, host);
  const { supervisor } = host;
  const kept = supervisor?.kept;
  const subjects = await subjectsFor(operands, options, host);
  let restart: (() => void) | undefined;
  const restarts = new Promise<"restart">((resolve) => {
    restart = () => resolve("restart");
  });
  const interrupted = new Promise<"interrupt">((resolve) => {
    host.onInterrupt(() => resolve("interrupt"));
  });
  const place = { ...(kept !== undefined && { kept }), ...(supervisor !== undefined && restart !== undefined && { restart }) };
  const studio = await start({ ...subjects, context, ...place }, port, options, host);
  host.onListening?.();
  if (kept === undefined) await announce(studio, subjects, options, host);
  else host.errors.write(`${subjects.problem ?? "The modules were loaded again."}\n`);
  if ((await Promise.race([restarts, interrupted])) === "interrupt" || supervisor === undefined) {
    await studio.close();
    return exitCodes.interrupted;
  }
  // What goes on in this process is to end in order: the next one takes it over.
  await subjects.runtime?.drain({ deadline: drainTime });
  const left = await studio.keep();
  await studio.close();
  await supervisor.replace(left);
  return exitCodes.success;
};

/** Milliseconds in which runs of an exported runtime may reach the end of a step before the modules are loaded again. */
const drainTime = 5_000;

type Subjects = Omit<StudioSubjects, "context">;

/** What the modules export. If they can't be loaded again, the page says why, and waits for the next attempt. */
async function subjectsFor(operands: readonly string[], options: CommandOptions, host: Host): Promise<Subjects> {
  try {
    // The runs of a storage are shown without modules too.
    const isRunsOnly = options.storage !== undefined && !namesModules(operands, options, host);
    const definitions = isRunsOnly ? definitionsIn([]) : await loadDefinitions(operands, options, host);
    return subjectsOf(definitions, options, host);
  } catch (error) {
    if (host.supervisor?.kept === undefined) throw error;
    const problem = redactText(`The modules can't be loaded: ${error instanceof Error ? error.message : String(error)}`);
    return { tools: [], agents: [], findings: [], changedFiles: () => [], problem };
  }
}

async function announce(studio: Studio, { tools, agents, runtime }: Subjects, options: CommandOptions, host: Host): Promise<void> {
  if (studio.hasOtherPort) host.errors.write(`Port 4650 is taken, perhaps by another studio: this one has port ${studio.port}.\n`);
  host.errors.write(`${counted(tools.length, "tool")} and ${counted(agents.length, "agent")}. Open ${studio.url}\nCtrl-C ends it.\n`);
  if (runtime !== undefined) host.errors.write("The exported runtime works in this process: it carries on the runs of its storage.\n");
  if (options.json === true) await writeJson(host, { url: studio.url });
}

async function start(
  subjects: StudioSubjects & Pick<StudioOptions, "kept" | "restart">,
  port: number | undefined,
  { allowProduction }: CommandOptions,
  host: Host,
): Promise<Studio> {
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

function subjectsOf(definitions: Definitions, options: CommandOptions, host: Host): Subjects {
  const storage = storageOf(definitions, options, host);
  const decidedBy = deciderOf(options, host);
  const choosing = new Set(choosingAgents(definitions));
  const [runtime] = options.storage === undefined && definitions.runtimes.length === 1 ? definitions.runtimes : [];
  return {
    tools: definitions.tools,
    agents: definitions.agents.map((found) => ({
      ...{ agent: found.agent, module: found.module, choosesTools: choosing.has(found) },
      make: () => chatAgent(found),
    })),
    findings: findingsIn(definitions, providerDialects),
    ...(storage !== undefined && { storage }),
    ...(runtime !== undefined && { runtime }),
    ...(decidedBy !== undefined && { decidedBy }),
    changedFiles: () => changedFiles(host),
  };
}

function storageOf(definitions: Definitions, { storage }: CommandOptions, host: Host): Storage | undefined {
  if (storage !== undefined) return storageAt(storage, host);
  const [found, second] = storagesIn(definitions);
  if (second !== undefined)
    throw new UsageError("The modules export several storages. Name one: --storage ./data, or the address of a database.");
  return found;
}

/** The loaded files that have another content by now, perhaps. A file that was removed has changed, too. */
function changedFiles({ loadedFiles, directory }: Host): readonly string[] {
  const changed = loadedFiles?.().filter(
    ({ path, at }) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) > at,
  );
  return (changed ?? []).map(({ path }) => relative(directory, path));
}
