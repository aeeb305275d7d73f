import type { AgentEvent } from "../../agent/index.js";
import { redactText } from "../../redaction/index.js";
import { printable, printableLines } from "../../redaction/internal.js";
import { type Host, type Paint, paintFor } from "../host.js";

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

  print(event: AgentEvent): void {
    if (event.type === "text_delta") this.#answer(event.delta);
    if (event.type === "text_done") this.endLine();
    if (event.type === "tool_started") this.#note(`> ${event.tool} ${JSON.stringify(event.input)}`);
    if (event.type === "tool_progress") this.#note(`  ${Math.round(event.fraction * 100)} % ${event.message ?? ""}`.trimEnd());
    if (event.type === "tool_result" && event.errorType === undefined) this.#note(`< ${event.content}`);
    if (event.type === "tool_result" && event.errorType !== undefined) this.#fault(`< ${event.tool} failed: ${event.content}`);
    if (event.type === "provider_call_done") this.#note(`> ${event.tool} ${event.arguments} (run by the provider)`);
    if (event.type === "sub_agent") this.#subAgent(event);
  }

  /** Ends an open line of the answer. */
  endLine(): void {
    if (this.#isOpen) this.#host.output.write("\n");
    this.#isOpen = false;
  }

  #answer(delta: string): void {
    if (delta === "") return;
    this.#host.output.write(printableLines(delta));
    this.#isOpen = true;
  }

  #subAgent({ path, event }: Extract<AgentEvent, { readonly type: "sub_agent" }>): void {
    const agents = path.map(({ agent }) => agent).join(" > ");
    if (event.type === "tool_started") this.#note(`> ${agents}: ${event.tool} ${JSON.stringify(event.input)}`);
    if (event.type === "tool_result" && event.errorType !== undefined) this.#fault(`< ${agents}: ${event.tool} failed: ${event.content}`);
  }

  #note(text: string): void {
    this.#line(text, this.#paint.dim);
  }

  #fault(text: string): void {
    this.#line(text, this.#paint.red);
  }

  #line(text: string, paint: (text: string) => string): void {
    this.endLine();
    const shown = printable(redactText(text));
    this.#host.errors.write(`${paint(shown.length > longestShown ? `${shown.slice(0, longestShown)}...` : shown)}\n`);
  }
}
