import type { AgentEvent } from "../../agent/index.js";
import { redactText } from "../../redaction/index.js";
import { printable, printableLines } from "../../redaction/internal.js";
import { type Host, type Paint, paintFor, write } from "../host.js";

/** The most characters of arguments and results that are shown. */
const longestShown = 200;

/** Prints a run as it goes: the answer to the output, tool calls to the errors, so that the answer can be piped. */
export class EventPrinter {
  readonly #host: Host;
  readonly #paint: Paint;
  /** Whether a line of the answer is open. */
  #isOpen = false;

  constructor(host: Host) {
    this.#host = host;
    this.#paint = paintFor(host, host.errors);
  }

  /** Resolves once it is written: the two streams share a terminal, and what is asked there next must come behind. */
  async print(event: AgentEvent): Promise<void> {
    if (event.type === "text_delta") await this.#answer(event.delta);
    if (event.type === "text_done") await this.endLine();
    const line = lineOf(event);
    if (line !== undefined) await this.#line(line.text, line.isFault === true ? this.#paint.red : this.#paint.dim);
  }

  /** Ends an open line of the answer. */
  async endLine(): Promise<void> {
    if (this.#isOpen) await write(this.#host, "\n");
    this.#isOpen = false;
  }

  async #answer(delta: string): Promise<void> {
    if (delta === "") return;
    this.#isOpen = true;
    await write(this.#host, printableLines(delta));
  }

  async #line(text: string, paint: (text: string) => string): Promise<void> {
    await this.endLine();
    const shown = printable(redactText(text));
    this.#host.errors.write(`${paint(shown.length > longestShown ? `${shown.slice(0, longestShown)}...` : shown)}\n`);
  }
}

interface Line {
  readonly text: string;
  readonly isFault?: true;
}

/** What is said about a call. */
function lineOf(event: AgentEvent): Line | undefined {
  switch (event.type) {
    case "tool_started":
      return { text: `> ${event.tool} ${JSON.stringify(event.input)}` };
    case "tool_progress":
      return { text: `  ${Math.round(event.fraction * 100)} % ${event.message ?? ""}`.trimEnd() };
    case "tool_result":
      return event.errorType === undefined
        ? { text: `< ${event.content}` }
        : { text: `< ${event.tool} failed: ${event.content}`, isFault: true };
    case "provider_call_done":
      return { text: `> ${event.tool} ${event.arguments} (run by the provider)` };
    case "sub_agent":
      return lineOfSubAgent(event);
    default:
      return undefined;
  }
}

function lineOfSubAgent({ path, event }: Extract<AgentEvent, { readonly type: "sub_agent" }>): Line | undefined {
  const agents = path.map(({ agent }) => agent).join(" > ");
  if (event.type === "tool_started") return { text: `> ${agents}: ${event.tool} ${JSON.stringify(event.input)}` };
  if (event.type === "tool_result" && event.errorType !== undefined) {
    return { text: `< ${agents}: ${event.tool} failed: ${event.content}`, isFault: true };
  }
  return undefined;
}
