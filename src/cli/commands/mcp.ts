import { dirname, resolve } from "node:path";
import { serveMcp } from "../../mcp/index.js";
import { printable } from "../../redaction/internal.js";
import { CommandError, exitCodes } from "../exit-codes.js";
import type { CommandModule } from "../command-table.js";
import { type Host, writeJson } from "../host.js";
import { counted } from "../text/counted.js";
import { choosingAgents, type Definitions, loadDefinitions } from "../modules/definitions.js";
import { portOf } from "../modules/port.js";
import { nearestManifest, readContext } from "../modules/load-modules.js";

/** Milliseconds for calls under way when the server is stopped. */
const timeToEnd = 5_000;

export const run: CommandModule["run"] = async (operands, options, host) => {
  const port = portOf(options.port);
  const context = readContext(options.context, host);
  const definitions = await loadDefinitions(operands, options, host);
  const [invalid] = definitions.broken;
  if (invalid !== undefined) throw new CommandError(`${invalid.module}: ${invalid.message}`);
  if (definitions.tools.length === 0) {
    for (const { name } of choosingAgents(definitions))
      host.errors.write(
        `A function chooses the tools of the agent "${printable(name)}", so none of them is served. Name the modules that export the tools too.\n`,
      );
  }
  const isNamed = operands.length > 0 || options.module !== undefined;
  const { name = "toolwright", version = "0.0.0" } = nearestManifest(isNamed ? folderOf(definitions, host) : host.directory) ?? {};
  const served = { name, version, tools: definitions.tools.map(({ tool }) => tool), toolContext: () => context };
  const stopped = new Promise<"interrupted">((resolve) => {
    host.onInterrupt(() => resolve("interrupted"));
  });
  const left = clientLeaves(host);
  // The protocol has standard output for itself from here on.
  if (port === undefined) host.releaseOutput();
  const serving = await serveMcp({ ...served, transport: port === undefined ? "stdio" : { port } }).catch((error: unknown) => {
    throw explained(error, port);
  });
  host.errors.write(
    `Serving ${counted(served.tools.length, "tool")} of ${name} ${serving.url === undefined ? "over standard input and output" : `at ${serving.url}`}. Ctrl-C ends it.\n`,
  );
  if (serving.url !== undefined && options.json === true)
    await writeJson(host, { url: serving.url, tools: definitions.tools.map((found) => found.name) });
  const end = await (port === undefined ? Promise.race([stopped, left]) : stopped);
  await serving.close({ deadline: end === "left" ? 0 : timeToEnd });
  return end === "left" ? exitCodes.success : exitCodes.interrupted;
};

/** The folder of the first module that has something. Clients start servers in a folder of their own. */
const folderOf = ({ tools, agents }: Definitions, { directory }: Host): string =>
  dirname(resolve(directory, (tools[0] ?? agents[0])?.module ?? ""));

/** An error of `serveMcp`, with what to do about a port. */
function explained(error: unknown, port: number | undefined): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "EADDRINUSE" ? "is taken" : code === "EACCES" ? "isn't open to this user" : undefined;
  if (reason === undefined) return error;
  return new CommandError(`--port: port ${port} ${reason}. Choose another one, or 0 for a free one.`, undefined, { cause: error });
}

const clientLeaves = ({ input }: Host): Promise<"left"> =>
  new Promise((resolve) => {
    const leave = (): void => resolve("left");
    input.once("end", leave).once("close", leave);
  });
