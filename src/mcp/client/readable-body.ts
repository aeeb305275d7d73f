import type { Sdk } from "./load-sdk.js";
import { isEventStream } from "./limit-body.js";
import { readMessages } from "./message-intake.js";

/** The response with messages that the SDK accepts, see `readMessages`: JSON as a whole, a stream of events one by one. */
export function readableBody(response: Response, sdk: Sdk): Response {
  const { body, status, statusText, headers } = response;
  const isJson = /^application\/json\b/i.test(headers.get("content-type") ?? "");
  if (body === null || !(isJson || isEventStream(response))) return response;
  const readable = isJson ? body.pipeThrough(wholeText(sdk)) : body.pipeThrough(new TextDecoderStream()).pipeThrough(eventTexts(sdk));
  return new Response(readable, { status, statusText, headers });
}

// In place of a `TextEncoderStream`, which takes a text character by character: a second and 120 MB for a message of 5 MB.
const encoder = new TextEncoder();
const decoder = new TextDecoder();

function wholeText(sdk: Sdk): TransformStream<Uint8Array, Uint8Array> {
  const chunks: Uint8Array[] = [];
  return new TransformStream({
    transform: (chunk) => void chunks.push(chunk),
    flush(controller) {
      const bytes = Buffer.concat(chunks);
      const texts = changedTexts(decoder.decode(bytes), sdk);
      controller.enqueue(texts === undefined ? bytes : encoder.encode(texts.length === 1 ? texts[0] : `[${texts.join(",")}]`));
    },
  });
}

/** HTML, "Server-sent events": lines end by LF, CR or both, and an empty one ends an event. */
function eventTexts(sdk: Sdk): TransformStream<string, Uint8Array> {
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
        if (line === "") controller.enqueue(encoder.encode(eventOf(data.splice(0), others.splice(0), sdk)));
        else if (line.startsWith("data:")) data.push(line.slice("data:".length));
        else others.push(line);
        line = next;
      }
    },
  });
}

/** One event for each message: the SDK reads no lists here. */
function eventOf(data: readonly string[], others: readonly string[], sdk: Sdk): string {
  const sent = data.join("\n");
  const texts = data.length === 0 ? [] : (changedTexts(sent, sdk) ?? [sent]);
  const events = texts.map((text) =>
    text
      .split("\n")
      .map((line) => `data:${line}\n`)
      .join(""),
  );
  return `${others.map((line) => `${line}\n`).join("")}${events.join("\n")}\n`;
}

/** The texts of the messages, or `undefined` if the SDK can have the text as it was sent. */
function changedTexts(text: string, sdk: Sdk): readonly string[] | undefined {
  try {
    const { messages, isAsSent } = readMessages(text, sdk);
    return isAsSent ? undefined : messages.map((message) => JSON.stringify(message));
  } catch {
    // It isn't JSON, or so deep that it can't be written: the SDK reports it.
    return undefined;
  }
}
