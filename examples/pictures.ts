/**
 * A tool that returns a picture. It draws a bar chart as PNG; the model gets it with the result, and logs get its type and size. The
 * same history is then sent to two providers, which take pictures in different places. They are played by functions here.
 */
import { crc32, deflateSync } from "node:zlib";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent, description, identifier, image, instructions, model, required, Tool, usesTools } from "toolwright";
import { AiSdkModel } from "toolwright/models";
import { toolLog } from "toolwright/observability";

@identifier("chart")
@description("Draws a bar chart. Use when the user asks for a chart.")
class ChartTool extends Tool {
  @required([Number], "The height of each bar, 0 to 100")
  bars!: number[];

  call() {
    return [`${this.bars.length} bars:`, image(drawBars(this.bars), "image/png")];
  }
}

@model("embedded/keyword")
@instructions("You draw charts.")
@usesTools([ChartTool])
class ChartAgent extends Agent {}

const logged = toolLog({
  handlers: [
    {
      logEntry: ({ metadata }) => {
        if (metadata?.output !== undefined && metadata.callId !== undefined) console.log("log:", JSON.stringify(metadata.output));
      },
      flushLog: () => undefined,
    },
  ],
});

const agent = new ChartAgent();
const response = await agent.generate("Please draw a chart with the bars [10, 60, 30].", { listeners: [logged] });
const [call] = response.steps[0]?.toolCalls ?? [];
console.log("the model reads:", JSON.stringify(call?.content));
console.log(
  "attachments:",
  call?.attachments?.map(({ mediaType }) => mediaType),
);

/** Answers for a provider, and prints the types of what it was sent. */
const played =
  (answer: object): typeof fetch =>
  async (_url, init) => {
    const { messages } = JSON.parse(String(init?.body)) as { messages: readonly Sent[] };
    for (const { role, content } of messages.slice(2)) console.log(`  ${role}:`, JSON.stringify(typesOf(content)));
    return Response.json(answer);
  };

interface Sent {
  readonly role: string;
  readonly type?: string;
  readonly content?: string | readonly Sent[];
}

const typesOf = (content: Sent["content"]): unknown =>
  Array.isArray(content)
    ? content.map((block: Sent) => (block.content === undefined ? block.type : [block.type, typesOf(block.content)]))
    : "text";

const text = "A high bar stands in the middle.";
const usage = { input_tokens: 1, output_tokens: 1, prompt_tokens: 1, completion_tokens: 1 };
const claude = createAnthropic({
  apiKey: "none",
  fetch: played({
    type: "message",
    id: "1",
    model: "m",
    role: "assistant",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    usage,
  }),
});
const openai = createOpenAI({
  apiKey: "none",
  fetch: played({
    id: "1",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
    usage,
  }),
});

for (const languageModel of [claude("claude-opus-5-5"), openai.chat("gpt-5-mini")]) {
  console.log(languageModel.provider);
  const { text: answer } = await new AiSdkModel(languageModel).generate({ messages: agent.messages.slice(0, 3), tools: [] });
  console.log(`  -> ${answer}`);
}

/** A PNG of grey bars, 10 pixels wide each. */
function drawBars(bars: readonly number[]): Buffer {
  const width = bars.length * 10;
  const rows = Array.from({ length: 100 }, (_, row) => [
    0,
    ...bars.flatMap((bar) => new Array<number>(10).fill(100 - row <= bar ? 60 : 255)),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(100, 4);
  header[8] = 8;
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([ends.subarray(0, 4), typed, ends.subarray(4)]);
}
