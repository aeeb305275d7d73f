import type {} from "reflect-metadata";
import { type ClassMetadata, type DesignType, holderOf, holderOfContext, isDecoratorContext, ownMetadata } from "../metadata.js";

/** The place of a member decorator, in one form for both dialects. */
export type Place =
  | { readonly kind: "field"; readonly metadata: ClassMetadata; readonly name: string; readonly designType: () => DesignType }
  | { readonly kind: "callParameter"; readonly metadata: ClassMetadata; readonly index: number; readonly designType: () => DesignType }
  /** Neither a public instance field nor a parameter of `call`; `what` says what it is: `static city`. */
  | { readonly kind: "elsewhere"; readonly metadata: ClassMetadata; readonly what: string };

/**
 * The legacy dialect calls `(target, key)` for a field, `(target, key, descriptor)` for a method or accessor and
 * `(target, key, index)` for a parameter; the standard dialect calls `(value, context)` for everything.
 */
export function placeOf(target: unknown, keyOrContext: unknown, third: unknown): Place {
  return isDecoratorContext(keyOrContext) ? standardPlace(keyOrContext) : legacyPlace(target, keyOrContext, third);
}

function standardPlace(context: DecoratorContext): Place {
  const name = String(context.name);
  const metadata = ownMetadata(holderOfContext(context));
  if (context.kind === "class") return { kind: "elsewhere", metadata, what: "the class" };
  if (context.kind === "field" && !context.static && !context.private && typeof context.name === "string") {
    return { kind: "field", metadata, name, designType: () => ({ known: false, reason: "standard_decorators" }) };
  }
  const words = [context.static ? "static" : "", context.kind === "field" ? "" : context.kind, name];
  return { kind: "elsewhere", metadata, what: words.filter(Boolean).join(" ") };
}

function legacyPlace(target: unknown, key: unknown, third: unknown): Place {
  const isStatic = typeof target === "function";
  // A legacy decorator of an instance member gets the prototype.
  const metadata = ownMetadata(holderOf(isStatic ? target : (target as { constructor: object }).constructor));
  const name = String(key);
  if (key === undefined) {
    return { kind: "elsewhere", metadata, what: typeof third === "number" ? `parameter ${third + 1} of the constructor` : "the class" };
  }
  if (typeof third === "number") {
    if (!isStatic && key === "call") return { kind: "callParameter", metadata, index: third, designType: emittedParameter(target, third) };
    return { kind: "elsewhere", metadata, what: `parameter ${third + 1} of ${isStatic ? "static " : ""}${name}()` };
  }
  if (isStatic) return { kind: "elsewhere", metadata, what: `static ${name}` };
  if (isMethodOrAccessor(third)) {
    return { kind: "elsewhere", metadata, what: `${typeof third.value === "function" ? "method" : "accessor"} ${name}` };
  }
  if (typeof key !== "string") return { kind: "elsewhere", metadata, what: name };
  return { kind: "field", metadata, name, designType: emittedType(target, name) };
}

function emittedType(prototype: unknown, name: string): () => DesignType {
  return isReflectMetadataLoaded() ? () => emitted("design:type", prototype, name) : neverEmitted;
}

function emittedParameter(prototype: unknown, index: number): () => DesignType {
  if (!isReflectMetadataLoaded()) return neverEmitted;
  return () => {
    const types = emitted("design:paramtypes", prototype, "call");
    return types.known ? { known: true, type: (types.type as unknown[])[index] } : types;
  };
}

/** Looked at when the decorator runs: loaded after the class, the package would know nothing of it, and blame the compiler. */
const isReflectMetadataLoaded = (): boolean => typeof Reflect.metadata === "function";

const neverEmitted = (): DesignType => ({ known: false, reason: "reflect_metadata_missing" });

function emitted(metadataKey: string, prototype: unknown, name: string): DesignType {
  if (!Reflect.hasOwnMetadata(metadataKey, prototype as object, name)) return { known: false, reason: "not_emitted" };
  return { known: true, type: Reflect.getOwnMetadata(metadataKey, prototype as object, name) as unknown };
}

// Babel passes a descriptor for a plain field too, with neither a function nor accessors in it.
const isMethodOrAccessor = (third: unknown): third is PropertyDescriptor =>
  typeof third === "object" &&
  third !== null &&
  (typeof (third as PropertyDescriptor).value === "function" || "get" in third || "set" in third);

/** The place in a message's words: `city`, `parameter 1 of call`, `static city`. */
export function nameOfPlace(place: Place): string {
  if (place.kind === "field") return place.name;
  return place.kind === "callParameter" ? `parameter ${place.index + 1} of call` : place.what;
}
