import type { Interface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { checkPlainOptionNames, type OptionNames, watchOf } from "../../../tool/internal.js";
import { redacted, warnProcess } from "../../../redaction/internal.js";
import type { Confirmation } from "../../confirmation.js";
import type { ConfirmationHandler } from "../../confirmation-handler.js";
import { approve, approveEdited, type Decision, deny } from "../../decision.js";
import { visibleJson, visibleText } from "../visible-text.js";
import { isQuestion } from "../../question.js";
import { answerInTerminal } from "./answer-in-terminal.js";
import { summaryOf, wholeSummaryOf } from "./summary.js";

declare global {
  // Applications without @types/node read this declaration too. If Node's types are installed, these declarations merge with them.
  namespace NodeJS {
    interface ReadableStream {}
    interface WritableStream {}
  }
}

/** Options of `confirmInTerminal`. */
export interface TerminalOptions {
  /** Where answers are read. Default: the standard input of the process. */
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Where questions are written. Default: standard error, so that the output of the application can be piped. */
  readonly output?: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
}

const optionNames: OptionNames<TerminalOptions> = { input: true, output: true };

/** What was typed before the question was there arrives within this time, and answers nothing. Milliseconds. */
const typedAhead = 50;

/**
 * Asks the person at the terminal: `y` approves, `n` denies with a reason for the model, `e` edits the arguments as JSON.
 *
 * ```ts
 * await agent.generate("Refund order A-17", { confirm: confirmInTerminal() });
 * ```
 *
 * If a call waits for an answer that is a text, a number, a boolean or a listed value, the person types it; an empty line leaves it open.
 *
 * Long arguments are cut to the size of the screen; `s` shows all of them. Several calls are shown one after another.
 *
 * The run pauses without a decision if the person presses Ctrl-C or Ctrl-D, or if there is no terminal, which a process warning
 * reports. See docs/04-confirmation.md.
 */
export function confirmInTerminal(options: TerminalOptions = {}): ConfirmationHandler {
  checkPlainOptionNames(options, optionNames, "confirmInTerminal");
  const { input = process.stdin, output = process.stderr } = options;
  return async (confirmation, { abortSignal }) => {
    if (input.isTTY !== true || output.isTTY !== true) {
      warnProcess(
        `confirmInTerminal: the ${input.isTTY === true ? "output" : "input"} isn't a terminal, so it can't ask about the call "${confirmation.callId}" (${confirmation.tool}). The run pauses: resume its state with decisions.`,
      );
      return undefined;
    }
    return inTurn(input, () => ask(confirmation, { input, output }, abortSignal));
  };
}

async function ask(
  confirmation: Confirmation,
  { input, output }: Required<TerminalOptions>,
  abortSignal: AbortSignal | undefined,
): Promise<Decision | undefined> {
  // Loaded here: most processes never ask.
  const { createInterface } = await import("node:readline/promises");
  if (abortSignal?.aborted === true) return undefined;
  const left = new AbortController();
  const leave = (): void => left.abort();
  const run = abortSignal && watchOf(abortSignal);
  const waiting = { cancel: leave };
  const lines = createInterface({ input, output, terminal: true, historySize: 0, prompt: "" });
  lines.on("SIGINT", leave);
  lines.on("close", leave);
  run?.add(waiting);
  try {
    const screen = { columns: output.columns ?? 80, rows: output.rows ?? 24 };
    const summary = summaryOf(confirmation, screen);
    output.write(`\n${summary.text}\n`);
    await sleep(typedAhead, undefined, { signal: left.signal });
    lines.write(null, { ctrl: true, name: "u" });
    if (isQuestion(confirmation)) return await answerInTerminal(confirmation, (question) => askLine(lines, left.signal, question), output);
    const whole = summary.isWhole ? undefined : () => wholeSummaryOf(confirmation, screen);
    return await decide(confirmation, (question, answer) => askLine(lines, left.signal, question, answer), output, whole);
  } catch (error) {
    if (!left.signal.aborted) throw error;
    output.write(`\nNot ${isQuestion(confirmation) ? "answered" : "decided"}: ${visibleText(confirmation.tool)} doesn't run.\n`);
    return undefined;
  } finally {
    run?.remove(waiting);
    lines.close();
  }
}

/** Asks for a line; `answer` stands there already, to be edited. */
type AskLine = (question: string, answer?: string) => Promise<string>;

async function askLine(lines: Interface, signal: AbortSignal, question: string, answer?: string): Promise<string> {
  const line = lines.question(question, { signal });
  if (answer !== undefined) lines.write(answer);
  return (await line).trim();
}

/** `whole`: the summary with all that the person wasn't shown. */
async function decide(
  confirmation: Confirmation,
  askPerson: AskLine,
  output: NodeJS.WritableStream,
  whole: (() => string) | undefined,
): Promise<Decision> {
  // The person sees no secrets: arguments that hold one would lose it if they were edited.
  const { hidden, input } = confirmation;
  const editable = hidden === undefined ? !JSON.stringify(input).includes(redacted) : hidden.length === 0;
  const further = (whole === undefined ? "" : ", [s]how everything") + (editable ? ", [e]dit the arguments" : "");
  const question = `Run ${visibleText(confirmation.tool)}? [y]es, [n]o${further}: `;
  for (;;) {
    const answer = (await askPerson(question)).toLowerCase();
    if (answer === "y" || answer === "yes") return approve(confirmation);
    if (answer === "n" || answer === "no")
      return deny(confirmation, (await askPerson("Why not? The model reads it (Enter: no reason): ")) || undefined);
    if (whole !== undefined && (answer === "s" || answer === "show")) output.write(`${whole()}\n`);
    const edited = editable && (answer === "e" || answer === "edit") ? await edit(confirmation, askPerson, output) : undefined;
    if (edited !== undefined) return approveEdited(confirmation, edited);
  }
}

/** The arguments that the person wrote; `undefined` for an empty line. */
async function edit(
  { input }: Confirmation,
  askPerson: AskLine,
  output: NodeJS.WritableStream,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  let text = visibleJson(input);
  for (;;) {
    text = await askPerson("Arguments as JSON (Enter runs the call with them, an empty line goes back): ", text);
    if (text === "") return undefined;
    try {
      const edited: unknown = JSON.parse(text);
      if (typeof edited === "object" && edited !== null && !Array.isArray(edited)) return edited as Readonly<Record<string, unknown>>;
      output.write('The arguments are an object: {"name": value}.\n');
    } catch (error) {
      output.write(`This isn't JSON: ${visibleText((error as SyntaxError).message)}\n`);
    }
  }
}

const turns = new WeakMap<object, Promise<unknown>>();

/** One after another for all who share a terminal: calls of a step, agents, handlers. */
function inTurn<Outcome>(terminal: object, work: () => Promise<Outcome>): Promise<Outcome> {
  const turn = (turns.get(terminal) ?? Promise.resolve()).then(work);
  const settled = turn.then(nothing, nothing);
  turns.set(terminal, settled);
  return turn;
}

const nothing = (): void => undefined;
