/**
 * The work of turning a value into JSON, in units of one or two nanoseconds. A value that is copied costs at least the bytes of its
 * JSON text, so that one number bounds the time, the memory and the text.
 */
export const work = {
  /** A number has at most 25 bytes. */
  value: 25,
  /** A plain object or array that is only measured. */
  plainObject: 100,
  /** The same for values that are copied, because a value beside them isn't JSON. */
  copiedValue: 50,
  copiedObject: 200,
  /** A date, a collection or a class instance: finding out its kind takes time. */
  foreignObject: 300,
  /** Each look at a proxy runs code. */
  proxy: 4_000,
  /** A member of an object that has over a thousand. */
  measuredWideMember: 400,
  wideMember: 700,
} as const;

/** Objects with more members are slow. */
export const wideObject = 1_000;

/** Data is rarely nested as deeply. Objects that getters and `toJSON` make without end always are. */
export const deepLevel = 8;

/** `\u0000` is one character. */
export const mostBytesOfCharacter = 6;

/** How much work may be spent on one value. */
export interface WorkLimit {
  readonly room: number;
  /** The work for a character. */
  readonly character: number;
  /** The additional work for an object below `deepLevel`. */
  readonly deepObject: number;
}

/** Some ten thousand objects, or 2 million characters. */
const leastRoom = 11_000_000;

/** The smallest list, `[],`, makes 3 bytes: a result that fits its cap always fits this room too. */
const roomOfByte = 220;

/** Some hundred thousand objects. No result is larger, not even for code. */
const mostRoom = 25_000_000;

/** No result holds more values. */
export const mostValues = mostRoom / work.copiedValue;

/** Code gets texts as they are, without a JSON text. */
const forCode: WorkLimit = { room: mostRoom, character: 0.25, deepObject: 4_000 };

/** The limit for a result whose text may have `maxBytes`; Infinity for code. */
export const workLimit = (maxBytes: number): WorkLimit =>
  maxBytes === Number.POSITIVE_INFINITY
    ? forCode
    : { room: Math.min(mostRoom, Math.max(leastRoom, maxBytes * roomOfByte)), character: mostBytesOfCharacter, deepObject: 400 };

/** For values without a cap of their own, such as the details of a log entry. */
export const leastWork: WorkLimit = workLimit(0);

/** An outline is made after a walk that failed, so it may cost only a third. */
export const outlineWork: WorkLimit = { ...leastWork, room: leastRoom / 3 };
