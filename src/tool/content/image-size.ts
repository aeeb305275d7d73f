/** Pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The size of an image by its header; `undefined` if the file is damaged or was cut off. The parts of the file are walked through to
 * its end, and not decoded.
 */
export function imageSizeOf(bytes: Buffer, mediaType: string): ImageSize | undefined {
  const size = readers.get(mediaType)?.(bytes);
  return size === undefined || size.width === 0 || size.height === 0 ? undefined : size;
}

const readers: ReadonlyMap<string, (bytes: Buffer) => ImageSize | undefined> = new Map([
  ["image/png", sizeOfPng],
  ["image/jpeg", sizeOfJpeg],
  ["image/gif", sizeOfGif],
  ["image/webp", sizeOfWebp],
]);

/** `IHDR` and `IEND`. */
const firstChunk = 0x49484452;
const lastChunk = 0x49454e44;

/** PNG specification, "Chunk layout": length, type, data and checksum; the last chunk is IEND. */
function sizeOfPng(bytes: Buffer): ImageSize | undefined {
  const chunkBytes = 12;
  if (bytes.length < 33 || bytes.readUInt32BE(12) !== firstChunk) return undefined;
  for (let place = 8; place + chunkBytes <= bytes.length; place += chunkBytes + bytes.readUInt32BE(place)) {
    if (bytes.readUInt32BE(place + 4) === lastChunk) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  return undefined;
}

const startOfScan = 0xda;
const endOfImage = Buffer.from([0xff, 0xd9]);

/** Markers of frames, SOF0 to SOF15: those between them that mean something else aren't. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** ISO 10918-1, annex B: segments with their length up to the scan, which ends with the marker EOI. */
function sizeOfJpeg(bytes: Buffer): ImageSize | undefined {
  let size: ImageSize | undefined;
  for (let place = 2; place + 9 <= bytes.length && bytes[place] === 0xff; ) {
    const marker = bytes[place + 1] ?? 0;
    // Any number of bytes may fill the space before a marker.
    if (marker === 0xff) {
      place += 1;
      continue;
    }
    if (marker === startOfScan) return bytes.lastIndexOf(endOfImage) > place ? size : undefined;
    if (isFrame(marker)) size = { height: bytes.readUInt16BE(place + 5), width: bytes.readUInt16BE(place + 7) };
    place += 2 + bytes.readUInt16BE(place + 2);
  }
  return undefined;
}

const extension = 0x21;
const picture = 0x2c;

/** GIF89a: the screen with its size, then blocks. Files without the trailer at their end are shown everywhere. */
function sizeOfGif(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 14) return undefined;
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  let hasPicture = false;
  for (let place = 13 + colourBytes(bytes[10] ?? 0); place < bytes.length; ) {
    if (bytes[place] === extension) place = endOfBlocks(bytes, place + 2);
    else if (bytes[place] === picture) {
      place = endOfBlocks(bytes, place + 11 + colourBytes(bytes[place + 9] ?? 0));
      hasPicture ||= place <= bytes.length;
    } else break;
  }
  return hasPicture ? size : undefined;
}

/** The bytes of a table of colours, by the flags before it. */
const colourBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

/** Blocks of data have their length before them; one of length 0 is the last. Beyond the file if that isn't there. */
function endOfBlocks(bytes: Buffer, start: number): number {
  let place = start;
  for (let length = bytes[place]; length !== undefined; length = bytes[place]) {
    place += length + 1;
    if (length === 0) return place;
  }
  return bytes.length + 1;
}

/** RFC 9649: the size of the file, then one of three kinds of frames. */
function sizeOfWebp(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return undefined;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
