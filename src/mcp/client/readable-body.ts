import type { Sdk } from "./load-sdk.js";
import { isEventStream } from "./limit-body.js";
import { readMessages } from "./message-intake.js";

/** The response with messages that the SDK accepts, see `readMessages`: JSON as a whole, a stream of events one by one. */
export function readableBody(response: Response, sdk: Sdk): Response {
  const { body, status, statusText, headers } = response;
  const isJson = /^application\/json\b/i.test(headers.get("content-type") ?? "");
  if (body === null || !(isJson || isEventStream(response))) return response;
  const readable = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(isJson ? wholeText(sdk) : eventTexts(sdk))
    .pipeThrough(new TextEncoderStream());
  return new Response(readable, { status, statusText, headers });
}

function wholeText(sdk: Sdk): TransformStream<string, string> {
  const pieces: string[] = [];
  return new TransformStream({
    transform: (piece) => void pieces.push(piece),
    flush(controller) {
      const [text, ...others] = readableTexts(pieces.join(""), sdk);
      controller.enqueue(others.length === 0 ? (text ?? "[]") : `[${text},${others.join(",")}]`);
    },
  });
}

/** HTML, "Server-sent events": lines end by LF, CR or both, and an empty one ends an event. */
function eventTexts(sdk: Sdk): TransformStream<string, string> {
  const data: string[] = [];
  const others: string[] = [];
  let line = "";
  let endedByReturn = false;
  return new TransformStream({
    transform(piece, controller) {
      const parts = (endedByReturn && piece.startsWith("\n") ? piece.slice(1) : piece).split(/\r\n|\r|\n/);
      if (piece !== "") endedByReturn = piece.endsWith("\r");
      line += parts[0];
      for (const next of parts.slice(1)) {
        if (line === "") controller.enqueue(eventOf(data.splice(0), others.splice(0), sdk));
        else if (line.startsWith("data:")) data.push(line.slice("data:".length));
        else others.push(line);
        line = next;
      }
    },
  });
}

/** One event for each message: the SDK reads no lists here. */
function eventOf(data: readonly string[], others: readonly string[], sdk: Sdk): string {
  const texts = data.length === 0 ? [] : readableTexts(data.join("\n"), sdk);
  const events = texts.map((text) =>
    text
      .split("\n")
      .map((line) => `data:${line}\n`)
      .join(""),
  );
  return `${others.map((line) => `${line}\n`).join("")}${events.join("\n")}\n`;
}

function readableTexts(text: string, sdk: Sdk): readonly string[] {
  try {
    return readMessages(text, sdk).map((message) => JSON.stringify(message));
  } catch {
    // It is no JSON, or so deep that it can't be written: the SDK reports it.
    return [text];
  }
}
