import { createRunScope, modelText, PreparedCall, type ToolCallRequest, ToolExecutor } from "../../execution/index.js";
import { hideSecretsIn, printableLines } from "../../redaction/internal.js";
import type { ToolListener, ToolResult } from "../../tool/index.js";
import { askAboutCall } from "../call/ask-about-call.js";
import { readToolOptions } from "../call/tool-options.js";
import { callOptions, optionNamesOf } from "../command-options.js";
import type { CommandModule } from "../command-table.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { type Host, paintFor, writeJson, writeLine } from "../host.js";
import { type Definitions, findTool, loadDefinitions } from "../modules/definitions.js";
import { readContext } from "../modules/load-modules.js";

export const run: CommandModule["run"] = async ([name = "", ...given], options, host) => {
  if (name.startsWith("-")) throw new UsageError("call: the name of the tool comes first: toolwright call get_weather --city Paris.");
  const toolContext = readContext(options.context, host);
  const definitions = await loadDefinitions([], options, host);
  const { tool } = findTool(definitions, name);
  const { definition } = tool;
  const reserved = new Set(["help", ...optionNamesOf(callOptions)]);
  const read = readToolOptions(definition, given, reserved);
  if ("help" in read) {
    await writeLine(host, read.help);
    return exitCodes.success;
  }
  const request = { id: "call_1", name: definition.name, arguments: argumentsOf(read.arguments, options.json) };
  const abort = new AbortController();
  const restore = host.onInterrupt(() => abort.abort(new Error("Interrupted by Ctrl-C.")));
  const executor = new ToolExecutor({ tools: callable(tool, definitions), listeners: [progressIn(host)] });
  const scope = createRunScope({ toolContext, abortSignal: abort.signal });
  try {
    const result = await perform(request, { executor, isApproved: options.yes === true, host }, scope);
    await print(result, options.json !== undefined, host);
    return abort.signal.aborted ? exitCodes.interrupted : exitCodeOf(result, host);
  } finally {
    restore();
  }
};

async function perform(
  request: ToolCallRequest,
  asking: Parameters<typeof askAboutCall>[2],
  scope: ReturnType<typeof createRunScope>,
): Promise<ToolResult> {
  const { executor } = asking;
  const prepared = await executor.prepare(request, scope);
  if (!(prepared instanceof PreparedCall)) return prepared;
  const settled = prepared.requiresConfirmation ? await askAboutCall(prepared, request, asking) : prepared;
  return settled instanceof PreparedCall ? executor.execute(settled) : settled;
}

/** The tool first: of others with the same name, none is called. */
function callable(tool: Definitions["tools"][number]["tool"], { tools }: Definitions) {
  const byName = new Map(tools.map((found) => [found.name, found.tool]));
  byName.set(tool.definition.name, tool);
  return [...byName.values()];
}

function argumentsOf(byOption: Readonly<Record<string, unknown>>, json: boolean | string | undefined): Record<string, unknown> {
  if (typeof json !== "string") return { ...byOption };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new UsageError(
      `--json: the arguments aren't JSON: ${(error as Error).message} Write an object in quotes: --json '{"city":"Paris"}'.`,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`--json: the arguments must be an object, such as '{"city":"Paris"}'.`);
  }
  return { ...value, ...byOption };
}

/** What the tool reports is shown on a terminal only. */
function progressIn(host: Host): ToolListener {
  if (host.errors.isTTY !== true) return {};
  const { dim } = paintFor(host, host.errors);
  return {
    toolProgress: ({ fraction, message }) =>
      void host.errors.write(`${dim(printableLines(`${Math.round(fraction * 100)} %${message === undefined ? "" : ` ${message}`}`))}\n`),
  };
}

async function print(result: ToolResult, asJson: boolean, host: Host): Promise<void> {
  const { tool, data, error, errorType } = result;
  if (asJson) await writeJson(host, hideSecretsIn(error === undefined ? { tool, data: data ?? null } : { tool, error, errorType }));
  else if (error !== undefined) host.errors.write(`${paintFor(host, host.errors).red("Error:")} ${printableLines(modelText(result))}\n`);
  else await writeLine(host, printableLines(textOf(result)));
}

/** A text as it is, all else as indented JSON. */
const textOf = (result: ToolResult): string =>
  typeof result.data === "string" || result.data === undefined || result.attachments !== undefined
    ? modelText(result)
    : JSON.stringify(hideSecretsIn(result.data), undefined, 2);

function exitCodeOf({ errorType, tool }: ToolResult, host: Host): ExitCode {
  if (errorType === undefined) return exitCodes.success;
  if (errorType !== "validation_error") return exitCodes.failed;
  host.errors.write(`See: toolwright call ${tool} --help\n`);
  return exitCodes.usage;
}
