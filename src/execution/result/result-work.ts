/**
 * What turning a value into JSON costs, in units of one or two nanoseconds. What a value costs is never less than the bytes of
 * its JSON text: one number bounds the time, the memory and the text.
 */
export const work = {
  /** A number has at most 25 bytes. */
  value: 25,
  /** A plain object or array that is only measured. */
  plainObject: 100,
  /** The same for values that are copied, because something beside them isn't JSON. */
  copiedValue: 50,
  copiedObject: 200,
  /** A date, a collection, a class instance: what it is has to be found out. */
  foreignObject: 300,
  /** Each look at a proxy runs code. */
  proxy: 4_000,
  /** A member of an object that has over a thousand. */
  measuredWideMember: 400,
  wideMember: 700,
} as const;

/** Objects with more members are slow. */
export const wideObject = 1_000;

/** Data is rarely nested as deeply; what getters and `toJSON` make without end always is. */
export const deepLevel = 8;

/** `\u0000` is one character. */
export const mostBytesOfCharacter = 6;

/** How much may be spent on one value. */
export interface WorkLimit {
  readonly room: number;
  /** What a character costs. */
  readonly character: number;
  /** What an object costs more below `deepLevel`. */
  readonly deepObject: number;
}

/** Some ten thousand objects, or 2 million characters. */
const leastRoom = 11_000_000;

/** The smallest list, `[],`, makes 3 bytes: a result that fits its cap always fits this room too. */
const roomOfByte = 220;

/** Some hundred thousand objects: no result is larger, not even one that code asks for. */
const mostRoom = 25_000_000;

/** No result holds more values. */
export const mostValues = mostRoom / work.copiedValue;

/** Code gets texts as they are, and nothing is written. */
const forCode: WorkLimit = { room: mostRoom, character: 0.25, deepObject: 4_000 };

/** What may be spent on a result whose text may have `maxBytes`; Infinity if code asks for it. */
export const workLimit = (maxBytes: number): WorkLimit =>
  maxBytes === Number.POSITIVE_INFINITY
    ? forCode
    : { room: Math.min(mostRoom, Math.max(leastRoom, maxBytes * roomOfByte)), character: mostBytesOfCharacter, deepObject: 400 };

/** For what has no cap of its own, such as the details of a log entry. */
export const leastWork: WorkLimit = workLimit(0);

/** An outline is made after the walk that it takes the place of: it may cost a third. */
export const outlineWork: WorkLimit = { ...leastWork, room: leastRoom / 3 };
