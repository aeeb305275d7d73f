import { types } from "node:util";
import { type Place, pathOf } from "../../schema/internal.js";

/** A kind of value without a form in JSON, and what a tool should return instead. */
interface NoJson {
  readonly what: string;
  readonly fix: string;
}

/** Thrown for a value without a form in JSON. A model would take its text or `{}` for the result. */
export class NoJsonError extends TypeError {
  readonly #value: NoJson;
  readonly place: Place | undefined;

  constructor(value: NoJson, place?: Place) {
    super(value.what);
    this.#value = value;
    this.place = place;
  }

  /** The same error with a place, unless it has one: the innermost place is right. */
  at(place: Place | undefined): NoJsonError {
    return this.place === undefined ? new NoJsonError(this.#value, place) : this;
  }

  /** The error that the caller of the tool gets. */
  in(tool: string): TypeError {
    const { what, fix } = this.#value;
    const place = this.place === undefined ? "" : ` at ${pathOf(this.place)}`;
    return new TypeError(`Tool '${tool}' returned ${what}${place}, which has no form in JSON. ${fix}`);
  }
}

/** The kind of the values of a prototype; `undefined` if JSON has a form for them. A class may have many instances. */
const kinds = new WeakMap<object, NoJson | undefined>();

/** Throws `NoJsonError` for a value without a form in JSON, of any realm or library. A `toJSON` of its own gives a value its form. */
export function refuseNoJson(value: object): void {
  const prototype: object | null = Object.getPrototypeOf(value);
  // The kind of a plain object shows in its members: see `refuseMethod` and `refuseContentPart`.
  if (prototype === null || prototype === Object.prototype || prototype === Array.prototype) return;
  let kind = kinds.get(prototype);
  if (kind === undefined && !kinds.has(prototype)) kinds.set(prototype, (kind = kindOf(value, prototype)));
  if (kind === undefined) return;
  if (kind === bytes) throw new NoJsonError(sized(value as ArrayBuffer | ArrayBufferView));
  if ("toJSON" in value || (isHollow(kind) && Object.keys(value).length > 0)) return;
  throw new NoJsonError(kind);
}

/** Throws `NoJsonError` for a content part with bytes. Its members have been read already, so that no getter runs. */
export function refuseContentPart(part: Readonly<Record<string, unknown>>): void {
  if (isContentPart(part))
    throw new NoJsonError({ what: `a content part of type ${mediaTypeOf(part)?.slice(0, longestShown)}`, fix: partFix });
}

/** Base64 text beside its media type: the parts of `imagePart()`, `filePart()`, MCP, the AI SDK and the providers. */
export function isContentPart(part: Readonly<Record<string, unknown>>): boolean {
  return mediaTypeOf(part) !== undefined && (isBase64(part.blob) || (partTypes.has(part.type) && isBase64(part.data)));
}

/** Throws `NoJsonError` for an object that has the method of a promise or an iterator as a member. */
export function refuseMethod(owner: object, name: string): void {
  if (name === "then") throw new NoJsonError(promise);
  if (name === "next") {
    const iterator = iteratorOf(owner);
    if (iterator !== undefined) throw new NoJsonError(iterator);
  }
}

const longestShown = 100;

const bytes: NoJson = {
  what: "bytes",
  fix: "Return image(bytes, mediaType) for an image, file(bytes, mediaType) for a PDF, the text that they hold, or a path or URL.",
};
const partFix = "Return image(data, mediaType) or file(data, mediaType), by itself or in a list: [text, image(data, mediaType)].";
const promise: NoJson = { what: "a promise that was not awaited", fix: "Await it, and return what it gives." };
const stream: NoJson = { what: "a stream", fix: "Read it to its end, and return what it held." };
const observable: NoJson = { what: "an observable", fix: "Return its value: await firstValueFrom(observable)." };
const collect = "Collect what it yields, and return an array.";
const form = "Return its entries: Object.fromEntries(...).";

/** By `Symbol.toStringTag`, because an application may have a class named `File`. */
const tagged: ReadonlyMap<string, NoJson> = new Map(
  Object.entries({
    Blob: "Return its text (await blob.text()), or save it and return its path or URL.",
    File: "Return its text (await file.text()), or save it and return its path or URL.",
    Headers: form,
    FormData: form,
    Request: "Return its URL, or what it holds: await request.text().",
    Response: "Return what it holds: await response.json() or await response.text().",
    ReadableStream: stream.fix,
    Generator: collect,
    AsyncGenerator: collect,
  }).map(([tag, fix]) => [tag, { what: withArticle(tag), fix }]),
);

const partTypes: ReadonlySet<unknown> = new Set(["image", "audio", "video", "file", "media", "image-data", "file-data", "base64"]);

/** The outline of a large result cuts texts and adds a note in brackets. */
const base64 = /^[A-Za-z0-9+/_-]{16,}={0,2}(?:$|\[)/;

function mediaTypeOf({ mediaType, mimeType, media_type }: Readonly<Record<string, unknown>>): string | undefined {
  const type = mediaType ?? mimeType ?? media_type;
  return typeof type === "string" ? type : undefined;
}

const isBase64 = (value: unknown): boolean => typeof value === "string" && base64.test(value);

function kindOf(value: object, prototype: object): NoJson | undefined {
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return bytes;
  if (types.isPromise(value) || hasMethod(prototype, "then")) return promise;
  if (isReadable(value)) return undefined;
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  const known = tagged.get(tag) ?? iteratorOf(prototype);
  if (known !== undefined) return known;
  if (hasMethod(prototype, "pipe") && hasMethod(prototype, "on")) return stream;
  if (hasMethod(prototype, "pipe") && hasMethod(prototype, "subscribe")) return observable;
  return hollowOf(prototype, tag);
}

/** Values that `readObject` turns into JSON. */
const isReadable = (value: object): boolean =>
  Array.isArray(value) ||
  types.isDate(value) ||
  types.isMap(value) ||
  types.isSet(value) ||
  types.isRegExp(value) ||
  types.isBoxedPrimitive(value) ||
  types.isNativeError(value) ||
  value instanceof Error ||
  value instanceof URLSearchParams;

function iteratorOf(owner: object): NoJson | undefined {
  if (!hasMethod(owner, "next")) return undefined;
  if (Symbol.asyncIterator in owner) return { what: "an async iterator", fix: collect };
  return Symbol.iterator in owner ? { what: "an iterator", fix: collect } : undefined;
}

const hollow = new WeakSet<NoJson>();

const isHollow = (kind: NoJson): boolean => hollow.has(kind);

/** Objects that show their content only by methods would be `{}`: a collection of the application, a WeakMap, an AbortSignal. */
function hollowOf(prototype: object, tag: string): NoJson | undefined {
  const isIterable = Symbol.iterator in prototype || Symbol.asyncIterator in prototype;
  if (!isIterable && tag === "Object") return undefined;
  const { name } = (prototype as { readonly constructor: { readonly name: string } }).constructor;
  const kind = { what: withArticle(tag === "Object" ? name : tag), fix: isIterable ? collect : "Return the data that it holds." };
  hollow.add(kind);
  return kind;
}

/** Doesn't run getters, because those of an entity may load data. */
function hasMethod(owner: object, name: string): boolean {
  for (let holder: object | null = owner; holder !== null; holder = Object.getPrototypeOf(holder)) {
    const own = Object.getOwnPropertyDescriptor(holder, name);
    if (own !== undefined) return typeof own.value === "function";
  }
  return false;
}

function sized(value: ArrayBuffer | ArrayBufferView): NoJson {
  const kind = Buffer.isBuffer(value) ? "Buffer" : Object.prototype.toString.call(value).slice("[object ".length, -1);
  const holdsBytes = !ArrayBuffer.isView(value) || types.isUint8Array(value) || types.isDataView(value);
  const fix = holdsBytes ? bytes.fix : "Return its numbers as an array: Array.from(numbers).";
  return { what: `${withArticle(kind)} of ${value.byteLength} bytes`, fix };
}

function withArticle(name: string): string {
  return `${/^[aeio]/i.test(name) ? "an" : "a"} ${name}`;
}
