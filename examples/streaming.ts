/**
 * A run while it happens: words as the model says them, the progress of a tool, what each step cost. In a terminal the
 * progress is drawn in one line; piped into a file or another program, each thing is a line of its own without control
 * characters. With a provider's key set: npm run example -- streaming --model openai/gpt-5-mini
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  Agent,
  type AgentEvent,
  description,
  Integer,
  identifier,
  instructions,
  model,
  required,
  Tool,
  type ToolContext,
  usesTools,
} from "toolwright";

@identifier("read_pages")
@description("Reads pages of the report. Use when the user wants pages to be read.")
class ReadPagesTool extends Tool {
  @required(Integer, { description: "The number of pages", minimum: 1, maximum: 20 })
  pages!: number;

  async call({ progress, abortSignal }: ToolContext) {
    for (let page = 1; page <= this.pages; page += 1) {
      await sleep(100, undefined, { signal: abortSignal });
      progress(page / this.pages, `page ${page} of ${this.pages}`);
    }
    return `The ${this.pages} pages say that lamps sell well in winter and that chairs sell well all year.`;
  }
}

const { values } = parseArgs({ options: { model: { type: "string", default: "embedded/keyword" } } });

@model(values.model)
@instructions("You read reports. Use the tool, then say what you found.")
@usesTools([ReadPagesTool])
class ReaderAgent extends Agent {}

const live = process.stdout.isTTY === true;
// Whoever reads the pipe may stop early, as `head` does.
process.stdout.on("error", () => process.exit(0));
const write = (text: string): void => void process.stdout.write(text);

for await (const event of ReaderAgent.stream("Read 5 pages of the report")) await show(event);

async function show(event: AgentEvent): Promise<void> {
  switch (event.type) {
    case "text_delta":
      write(event.delta);
      // The keyword model says everything at once; a person should see it come.
      if (live) await sleep(30);
      break;
    case "text_done":
      write("\n");
      break;
    case "tool_call_done":
      write(`[calls ${event.tool} ${event.arguments}]\n`);
      break;
    case "tool_progress":
      if (live) write(`\r${bar(event.fraction)} ${event.message ?? ""}`);
      else write(`[${Math.round(event.fraction * 100)} % ${event.message ?? ""}]\n`);
      break;
    case "tool_result":
      write(`${live ? "\n" : ""}[${event.tool} ${event.errorType ?? "is done"}]\n`);
      break;
    case "error":
      write(`[failed: ${event.error instanceof Error ? event.error.message : String(event.error)}]\n`);
      break;
    case "done":
      write(`[${event.response.outcome.reason} after ${event.response.steps.length} steps]\n`);
      break;
  }
}

function bar(fraction: number): string {
  const width = 20;
  const filled = Math.round(fraction * width);
  return `[${"#".repeat(filled)}${" ".repeat(width - filled)}]`;
}
