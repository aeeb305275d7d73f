import { type Conversation, promptFault } from "../../conversation/internal.js";
import { initialState } from "../../loop/index.js";
import { type ConversationPlace, entryVersion, type RunEntry } from "../../loop/internal.js";
import type { Confirmation } from "../../confirmation/index.js";
import type { ConversationPrefix, Message } from "../../models/index.js";
import { unlessAborted } from "../../tool/internal.js";
import type { GenerateOptions, Prompt } from "../run-options.js";
import type { LatestRun } from "./latest-run.js";
import { type ResolvedRun, type RunSource, resolveRun } from "./resolve-run.js";
import { toolNamesIn } from "./recorded-run.js";
import { Run } from "./run.js";
import { blockedOutcome } from "./run-ending.js";

/** The place of a prompt: after the first `keep` messages, instead of all that follow them. Without `keep`, at the end. */
export interface PromptPlace {
  readonly id: string | undefined;
  readonly keep: number | undefined;
}

/** What a run begins with. Without a prompt the conversation goes on as it is. */
interface Question {
  readonly prompt?: Prompt | undefined;
  readonly place?: PromptPlace | undefined;
  /** The stored conversation that the run belongs to. */
  readonly conversation?: ConversationPlace | undefined;
}

/** A run that can begin. `start`: the length of the history before it. */
export interface MadeRun {
  readonly run: Run;
  readonly resolved: ResolvedRun;
  readonly start: number;
}

/** Makes the run that answers a prompt, which joins the history. The run that waited before is given up. */
export async function newRun(source: RunSource, latest: LatestRun, options: GenerateOptions, asked: Question): Promise<MadeRun> {
  const { conversation, journal } = source;
  const { prompt, place } = asked.prompt === undefined ? unansweredIn(conversation, latest) : asked;
  const fault = prompt === undefined ? undefined : promptFault(prompt);
  if (fault !== undefined) throw new TypeError(`The prompt ${fault}`);
  const { abortSignal } = options;
  const resolved = await resolveRun(source, options);
  const leaving = latest.leave(resolved.parts.confirmation.claims, abortSignal, options.journal);
  // Most conversations have no waiting run, and a thousand runs at once shouldn't wait for nothing.
  const givenUp = leaving instanceof Promise ? await leaving : leaving;
  let start = conversation.length;
  const run = new Run(resolved.parts, initialState(resolved.limits), givenUp);
  const { checkPrompt, isResolved } = resolved;
  const checked = checkPrompt && prompt !== undefined ? await unlessAborted(() => checkPrompt(prompt), abortSignal) : { prompt };
  const blocked = checked !== undefined && "blocked" in checked && checked.blocked !== undefined ? blockedOutcome(checked) : undefined;
  if (blocked === undefined && checked?.prompt !== undefined) {
    if (place?.keep !== undefined) conversation.restore(conversation.copyFrom(0).slice(0, place.keep));
    start = conversation.length;
    conversation.ask(checked.prompt, place?.id);
  }
  journal?.add(
    beginning(resolved, {
      messages: conversation.copyFrom(0),
      start,
      givenUp,
      conversation: asked.conversation,
      prefix: conversation.prefix,
    }),
  );
  if (blocked !== undefined) run.take({ type: "stopped", outcome: blocked });
  if (!isResolved || checked === undefined) run.endUnbegun();
  return { run, resolved, start };
}

/** What a conversation goes on from without a new prompt: its last question, or the results of tools, which need none. */
function unansweredIn(conversation: Conversation, latest: LatestRun): Question {
  if (latest.waiting !== undefined) {
    throw new TypeError("generate needs a prompt here, because calls wait for a person. Go on with resume(agent.state, { decisions }).");
  }
  const history = conversation.copyFrom(0);
  const last = history.at(-1);
  if (last?.role === "user") return { prompt: last.content, place: { id: last.id, keep: history.length - 1 } };
  if (last?.role === "tool") return {};
  throw new TypeError(
    `There is nothing to continue: the conversation ${last === undefined ? "is empty" : "ends with an answer"}. ` +
      "Give generate a prompt, or restore messages that end with a user message or tool results.",
  );
}

/** What the journal has of a run that begins. */
interface Beginning {
  readonly messages: readonly Message[];
  readonly start: number;
  readonly givenUp: readonly Confirmation[];
  readonly conversation: ConversationPlace | undefined;
  readonly prefix: ConversationPrefix | undefined;
}

function beginning(
  { parts: { agent, scope, tools, conversation: history, replaying }, limits }: ResolvedRun,
  { givenUp, conversation, prefix, ...begun }: Beginning,
): RunEntry {
  const { runId, tags } = scope;
  return {
    kind: "began",
    version: entryVersion,
    runId,
    agent,
    limits,
    ...begun,
    ...(tags && { tags }),
    ...toolNamesIn(tools, history.tools),
    ...(givenUp.length > 0 && { givenUp }),
    ...(conversation && { conversation }),
    ...(prefix && { prefix }),
    ...(replaying && { replay: true }),
  };
}
