/** What is wrong with the bytes of a file of a type that models read, as the end of a sentence; `undefined` if nothing is seen. */
export function damageOf(bytes: Buffer, mediaType: string): string | undefined {
  const check = checks.get(mediaType);
  return check === undefined || check(bytes) ? undefined : "is damaged or incomplete";
}

// Each looks at the ends of the parts that the format is made of, so that a file that was cut off is found. None decodes.
const checks: ReadonlyMap<string, (bytes: Buffer) => boolean> = new Map([
  ["image/png", isWholePng],
  ["image/jpeg", isWholeJpeg],
  ["image/gif", (bytes) => bytes.length > 13 && bytes.readUInt16LE(6) > 0 && bytes.readUInt16LE(8) > 0],
  ["image/webp", (bytes) => bytes.length >= 20 && bytes.readUInt32LE(4) + 8 <= bytes.length],
  ["application/pdf", (bytes) => bytes.lastIndexOf("%%EOF") !== -1],
]);

/** `IHDR` and `IEND`. */
const firstChunk = 0x49484452;
const lastChunk = 0x49454e44;

/** PNG specification, "Chunk layout": length, type, data and checksum; the last chunk is IEND. */
function isWholePng(bytes: Buffer): boolean {
  const chunkBytes = 12;
  let place = 8;
  if (bytes.length < place + chunkBytes || bytes.readUInt32BE(place + 4) !== firstChunk) return false;
  while (place + chunkBytes <= bytes.length) {
    if (bytes.readUInt32BE(place + 4) === lastChunk) return true;
    place += chunkBytes + bytes.readUInt32BE(place);
  }
  return false;
}

/** ISO 10918-1, annex B: segments with their length up to the scan, which ends with the marker EOI. */
function isWholeJpeg(bytes: Buffer): boolean {
  let place = 2;
  while (place + 4 <= bytes.length && bytes[place] === 0xff) {
    const marker = bytes[place + 1];
    // Any number of bytes may fill the space before a marker.
    if (marker === 0xff) place += 1;
    else if (marker === 0xda) return bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > place;
    else place += 2 + bytes.readUInt16BE(place + 2);
  }
  return false;
}
