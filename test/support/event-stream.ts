/** The binary encoding of Amazon's event streams: https://smithy.io/2.0/aws/amazon-eventstream.html */
import { crc32 } from "./checksum.js";

/** One message: its lengths, a checksum of these, its headers, its JSON, and a checksum of all. */
function encoded(eventType: string, payload: object): Buffer {
  const headers = Buffer.concat([
    textHeader(":event-type", eventType),
    textHeader(":content-type", "application/json"),
    textHeader(":message-type", "event"),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(12 + headers.length + body.length + 4, 0);
  lengths.writeUInt32BE(headers.length, 4);
  const message = Buffer.concat([lengths, checksum(lengths), headers, body]);
  return Buffer.concat([message, checksum(message)]);
}

function textHeader(name: string, value: string): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(value.length);
  const textType = 7;
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([textType]), size, Buffer.from(value)]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}

/** Events by their types, in pieces that split messages, as networks do. */
export function eventStream(events: readonly (readonly [type: string, payload: object])[]): Response {
  const bytes = Buffer.concat(events.map(([type, payload]) => encoded(type, payload)));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let start = 0; start < bytes.length; start += 100) controller.enqueue(bytes.subarray(start, start + 100));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "application/vnd.amazon.eventstream" } });
}
