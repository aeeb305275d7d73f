import type { IncomingMessage } from "node:http";
import { createGunzip } from "node:zlib";
import { NetworkError } from "./network-error.js";

/**
 * Reads a whole body of at most `maxBytes`. The cap applies to the received and to the unpacked bytes, counted while they stream, so a
 * small body that unpacks to a huge one costs no more than the cap.
 */
export function readBody(message: IncomingMessage, gzipped: boolean, maxBytes: number, host: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const unpacker = gzipped ? createGunzip() : undefined;
    const content = unpacker ?? message;
    const chunks: Buffer[] = [];
    const fail = (error: Error): void => {
      message.destroy();
      unpacker?.destroy();
      reject(error);
    };
    const counted = (): ((chunk: Buffer) => boolean) => {
      let size = 0;
      return ({ length }) => {
        size += length;
        if (size > maxBytes) fail(tooLarge(host, maxBytes));
        return size <= maxBytes;
      };
    };
    const broken = (): void => fail(new NetworkError("connection", `The connection to ${host} broke off amid its answer. Try again.`));
    if (Number(message.headers["content-length"]) > maxBytes) return fail(tooLarge(host, maxBytes));

    const unpackedFits = counted();
    content.on("data", (chunk: Buffer) => {
      if (unpackedFits(chunk)) chunks.push(chunk);
    });
    content.on("end", () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
    message.on("error", broken);
    if (unpacker !== undefined) {
      const cameFits = counted();
      let isEmpty = true;
      message.on("data", (chunk: Buffer) => {
        isEmpty = false;
        cameFits(chunk);
      });
      unpacker.on("error", () => {
        // Servers call nothing at all gzip, too.
        if (isEmpty) resolve(Buffer.alloc(0));
        else fail(new NetworkError("body", `${host} answered with gzip that is broken or cut off. Try again.`));
      });
      message.pipe(unpacker);
    }
  });
}

const tooLarge = (host: string, maxBytes: number): NetworkError =>
  new NetworkError("too_large", `The answer of ${host} is larger than ${maxBytes} bytes. Ask for less, or for another page.`);
