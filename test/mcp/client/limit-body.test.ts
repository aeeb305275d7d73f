import { limitBody } from "../../../src/mcp/client/limit-body.js";

/** What is read of a stream of events that comes in these chunks, in bytes. */
async function bytesOf(chunks: Iterable<string>): Promise<number> {
  const body = ReadableStream.from(Array.from(chunks, (chunk) => Buffer.from(chunk)));
  const response = limitBody(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  return (await response.arrayBuffer()).byteLength;
}

/** Three of two megabytes, in the chunks that `cut` makes of them: together they are larger than one message may be. */
const events = (empty: string, cut: (event: string) => string[]) =>
  Array.from({ length: 3 }, () => cut(`data: ${"x".repeat(2_000_000)}${empty}`)).flat();

const lineEnds: [string, string][] = [
  ["LF", "\n\n"],
  ["CR", "\r\r"],
  ["CRLF", "\r\n\r\n"],
  ["CRLF and LF", "\r\n\n"],
  ["LF and CR", "\n\r"],
];

describe("a stream of six megabytes in small events", () => {
  it.each(lineEnds)("is read to its end if lines end by %s", async (_, empty) => {
    await expect(bytesOf(events(empty, (event) => [event]))).resolves.toBe(3 * (2_000_006 + empty.length));
  });

  it.each(lineEnds)("is read to its end if chunks part the line ends (%s)", async (_, empty) => {
    const cut = (event: string) => [event.slice(0, 2_000_006), ...event.slice(2_000_006)];
    await expect(bytesOf(events(empty, cut))).resolves.toBe(3 * (2_000_006 + empty.length));
  });

  it("is cut where lines end, but none is empty", async () => {
    await expect(bytesOf(events("\r\n", (event) => [event]))).rejects.toThrow("larger than 5242880 bytes");
    await expect(bytesOf(events("\r\n", (event) => [event.slice(0, -1), "\n"]))).rejects.toThrow("larger than 5242880 bytes");
  });
});

describe("a message of many values", () => {
  const bytesOfJson = async (text: string) =>
    (await limitBody(new Response(text, { headers: { "content-type": "application/json" } })).arrayBuffer()).byteLength;
  const tooHeavy = "holds more than 150000 values, or is nested more than 200 levels deep";

  it("is cut, whatever its length", async () => {
    await expect(bytesOfJson(`[${"1,".repeat(150_001)}1]`)).rejects.toThrow(tooHeavy);
    await expect(bytesOfJson("[".repeat(201))).rejects.toThrow(tooHeavy);
    await expect(bytesOf([`data: [${"1,".repeat(150_001)}1]\n\ndata: 1\n\n`])).rejects.toThrow(tooHeavy);
  });

  it("is read if another one has as many values, and if they stand in a text", async () => {
    const half = `data: [${"1,".repeat(100_000)}1]\n\n`;
    await expect(bytesOf([half, half])).resolves.toBe(2 * half.length);
    const text = JSON.stringify([`\\"[{,`.repeat(100_000)]);
    await expect(bytesOfJson(text)).resolves.toBe(text.length);
  });
});
