import type { Agent, AgentEvent, AgentResponse, GenerateOptions } from "../../agent/index.js";
import { type ModelInterceptor, modelInterceptor, type WithInterceptor } from "../../agent/internal.js";
import { approve, type ConfirmationHandler, confirmInTerminal } from "../../confirmation/index.js";
import { isQuestion } from "../../confirmation/internal.js";
import { printableLines } from "../../redaction/internal.js";
import { chatAgent, replacedModel } from "../chat/chat-agent.js";
import { EventPrinter } from "../chat/event-printer.js";
import { readPrompts } from "../chat/read-prompts.js";
import type { CommandModule, CommandOptions } from "../command-table.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import { canAsk, type Host, paintFor, writeLine } from "../host.js";
import { findAgent, loadDefinitions } from "../modules/definitions.js";
import { readContext } from "../modules/load-modules.js";

export const run: CommandModule["run"] = async ([name = "", ...words], options, host) => {
  const toolContext = readContext(options.context, host);
  const definitions = await loadDefinitions([], options, host);
  const found = findAgent(definitions, name);
  const models = replacedModel(found, options.model);
  const agent = await chatAgent(found);
  const conversation: Conversation = {
    agent,
    models,
    toolContext,
    confirm: handlersFor(options, host),
    asJson: options.json === true,
    host,
  };
  if (words.length > 0) return answerPrompt(words.join(" "), conversation);
  let exitCode: ExitCode = exitCodes.success;
  for await (const prompt of readPrompts(host)) {
    exitCode = await answerPrompt(prompt, conversation);
    // A person reads the reason and goes on.
    if (!canAsk(host) && exitCode !== exitCodes.success) return exitCode;
  }
  return canAsk(host) ? exitCodes.success : exitCode;
};

interface Conversation {
  readonly agent: Agent;
  readonly models: ModelInterceptor | undefined;
  readonly toolContext: Readonly<Record<string, unknown>>;
  readonly confirm: readonly ConfirmationHandler[];
  readonly asJson: boolean;
  readonly host: Host;
}

function handlersFor({ yes }: CommandOptions, host: Host): readonly ConfirmationHandler[] {
  const approveAll: ConfirmationHandler = (confirmation) => (isQuestion(confirmation) ? undefined : approve(confirmation));
  const terminal = confirmInTerminal({ input: host.input, output: host.errors });
  return [...(yes === true ? [approveAll] : []), ...(canAsk(host) ? [terminal] : [])];
}

async function answerPrompt(prompt: string, { agent, models, toolContext, confirm, asJson, host }: Conversation): Promise<ExitCode> {
  const abort = new AbortController();
  const restore = host.onInterrupt(() => abort.abort("Interrupted by Ctrl-C."));
  const printer = new EventPrinter(host);
  try {
    const options: GenerateOptions & WithInterceptor = { toolContext, abortSignal: abort.signal, confirm };
    const stream = agent.stream(prompt, models === undefined ? options : { ...options, [modelInterceptor]: models });
    for await (const event of stream) {
      if (asJson) await writeLine(host, JSON.stringify(eventAsJson(event)));
      else await printer.print(event);
    }
    await printer.endLine();
    const response = await stream.response;
    if (response.reason !== "success") host.errors.write(`${explain(response, host)}\n`);
    return abort.signal.aborted ? exitCodes.interrupted : exitCodeOf(response);
  } finally {
    restore();
  }
}

/** The events are plain JSON but for these two. */
function eventAsJson(event: AgentEvent): object {
  if (event.type === "error") return { type: "error", message: event.error instanceof Error ? event.error.message : String(event.error) };
  if (event.type !== "done") return event;
  const { response } = event;
  return {
    type: "done",
    reason: response.reason,
    runId: response.runId,
    text: response.text ?? null,
    detail: response.outcome.detail ?? null,
    usage: response.usage,
  };
}

function explain({ reason, outcome }: AgentResponse, host: Host): string {
  const text = `${reason}: ${outcome.detail ?? ""}`;
  const fix = reason === "awaiting_confirmation" ? " Pass --yes to approve calls, or run the command in a terminal." : "";
  return `${paintFor(host, host.errors).red("No answer:")} ${printableLines(`${text}${fix}`)}`;
}

function exitCodeOf({ reason }: AgentResponse): ExitCode {
  if (reason === "success") return exitCodes.success;
  return reason === "awaiting_confirmation" || reason === "awaiting_answer" ? exitCodes.waiting : exitCodes.failed;
}
