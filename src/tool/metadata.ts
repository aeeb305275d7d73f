import { ToolDefinitionError } from "./tool-errors.js";

/**
 * The one metadata model behind every decorator, of tools and of agents, in both dialects.
 *
 * It lives on the class itself, under `Class[Symbol.metadata]`, as the standard dialect has it. A subclass's
 * object has the base's object as prototype, so inheritance is a walk up and nothing leaks sideways. There is
 * no global registry. The key is a registered symbol, so that two copies of the package read each other's classes.
 */

// Compilers create `context.metadata` only if `Symbol.metadata` exists when the class is evaluated. Node 20 to 24
// don't define it; esbuild, Babel and swc fall back on exactly this registered symbol.
const symbolMetadata: symbol = ((Symbol as { metadata?: symbol }).metadata ??= Symbol.for("Symbol.metadata"));

const toolwrightMetadata = Symbol.for("toolwright.metadata");

/** The declared type that the compiler emitted, or why there is none. */
export type DesignType =
  | { readonly known: true; readonly type: unknown }
  | { readonly known: false; readonly reason: "standard_decorators" | "reflect_metadata_missing" | "not_emitted" };

/** One `@required` or `@optional`, as it was written. */
export interface ParameterMetadata {
  readonly name: string;
  readonly required: boolean;
  /** The explicit type token; `undefined` if none was written. */
  readonly type: unknown;
  readonly options: Readonly<Record<string, unknown>>;
  /** Read when the definition is resolved: circular imports settle until then. */
  readonly designType: () => DesignType;
}

/** One `@input(Dto)` field: the fields of the class become parameters. */
export interface InputMetadata {
  readonly property: string;
  readonly type: unknown;
}

const noFields: readonly ParameterMetadata[] = Object.freeze([]);

/** What the decorators of one class wrote; bases are not included. */
export class ClassMetadata {
  /** Class decorators by name: `description`, `timeout`, `model`, ... */
  readonly settings: Record<string, unknown> = {};
  // Lists are replaced, not grown, and the other members are made on first use: a process may have thousands of tools.
  /** In the order in which they are written; no name twice. */
  fields: readonly ParameterMetadata[] = noFields;
  /** Decorated parameters of `call`, by position. */
  callParameters: Map<number, ParameterMetadata> | undefined = undefined;
  inputs: readonly InputMetadata[] | undefined = undefined;
  /** Authors' mistakes that a decorator saw; thrown when the definition is read, if the class has a name. */
  mistakes: string[] | undefined = undefined;
  /** What was resolved from all this and the bases: the definition of a tool, and the plan of its calls. */
  definition: unknown = undefined;
  plan: unknown = undefined;
}

type MetadataHolder = Record<PropertyKey, unknown>;

/** The class's own metadata, made on first use. `holder` is `context.metadata` (standard) or `holderOf(class)` (legacy). */
export function ownMetadata(holder: object): ClassMetadata {
  if (!Object.hasOwn(holder, toolwrightMetadata)) {
    Object.defineProperty(holder, toolwrightMetadata, { value: new ClassMetadata() });
  }
  return (holder as MetadataHolder)[toolwrightMetadata] as ClassMetadata;
}

/** The object that a compiler of the standard dialect puts on the class; created here if the dialect is legacy. */
export function holderOf(constructor: object): object {
  if (!Object.hasOwn(constructor, symbolMetadata)) {
    const parent = (Object.getPrototypeOf(constructor) as MetadataHolder | null)?.[symbolMetadata];
    // V8 stores an object without a prototype as a hash table, at several times the memory of `{}`.
    const holder: object = parent === undefined || parent === null ? {} : Object.create(parent);
    if (!Object.isExtensible(constructor)) return besideFrozen(constructor, holder);
    Object.defineProperty(constructor, symbolMetadata, { value: holder, configurable: true, writable: true });
  }
  return (constructor as MetadataHolder)[symbolMetadata] as object;
}

const holdersOfFrozen = new WeakMap<object, object>();

/** A frozen class without decorators of its own takes no property; it has nothing to keep but what it resolves to. */
function besideFrozen(constructor: object, holder: object): object {
  const known = holdersOfFrozen.get(constructor);
  if (known === undefined) holdersOfFrozen.set(constructor, holder);
  return known ?? holder;
}

/** The same object, as a compiler of the standard dialect hands it over. */
export function holderOfContext(context: DecoratorContext): object {
  // Typed as always there, but made only if `Symbol.metadata` existed when the class was evaluated.
  const holder = context.metadata as object | undefined;
  if (holder !== undefined) return holder;
  throw new ToolDefinitionError(
    `${context.kind} ${String(context.name)}: the compiler gave no context.metadata to its decorators. ` +
      'Import "toolwright" before the module that defines this class.',
  );
}

/** The metadata of a class and its bases, base first. Empty for a class without decorators. */
export function metadataChain(constructor: object): readonly ClassMetadata[] {
  let chain: readonly ClassMetadata[] = [];
  let holder = (constructor as MetadataHolder)[symbolMetadata] as MetadataHolder | null | undefined;
  while (holder) {
    if (Object.hasOwn(holder, toolwrightMetadata)) {
      const own = holder[toolwrightMetadata] as ClassMetadata;
      // Most classes have no decorated base, and are asked several times.
      chain = chain.length === 0 ? [own] : [own, ...chain];
    }
    holder = Object.getPrototypeOf(holder) as MetadataHolder | null;
  }
  return chain;
}

/** The fields that a class declares itself, without those of its bases. */
export function ownFields(constructor: object): readonly ParameterMetadata[] {
  const holder = Object.hasOwn(constructor, symbolMetadata)
    ? ((constructor as MetadataHolder)[symbolMetadata] as object | null)
    : undefined;
  return holder && Object.hasOwn(holder, toolwrightMetadata) ? ownMetadata(holder).fields : noFields;
}

/** What the class decorators wrote, the subclass's word before the base's. */
export function settingsOf(constructor: object): Readonly<Record<string, unknown>> {
  const chain = metadataChain(constructor);
  const [only] = chain;
  return chain.length === 1 && only !== undefined ? only.settings : Object.assign({}, ...chain.map(({ settings }) => settings));
}

/** The value of one class decorator. */
export const settingOf = (constructor: object, name: string): unknown => settingsOf(constructor)[name];

export const isDecoratorContext = (value: unknown): value is DecoratorContext =>
  typeof value === "object" && value !== null && typeof (value as { kind?: unknown }).kind === "string";

/** Makes a class decorator, for both dialects, that writes settings. */
export function writeSettings(settings: Readonly<Record<string, unknown>>): (target: object, context?: unknown) => void {
  return (target, context) => {
    const holder = isDecoratorContext(context) ? holderOfContext(context) : holderOf(target);
    Object.assign(ownMetadata(holder).settings, settings);
  };
}

/** Makes a class decorator, for both dialects, that a class may have several times. The values form a list in the order of the source. */
export function writeSettingInList(name: string, value: unknown): (target: object, context?: unknown) => void {
  return (target, context) => {
    const { settings } = ownMetadata(isDecoratorContext(context) ? holderOfContext(context) : holderOf(target));
    // The decorator nearest to the class is applied first.
    settings[name] = [value, ...((settings[name] as readonly unknown[] | undefined) ?? [])];
  };
}

/** The values of such a decorator: those of the base first. */
export const settingListOf = (constructor: object, name: string): readonly unknown[] =>
  metadataChain(constructor).flatMap(({ settings }) => (settings[name] as readonly unknown[] | undefined) ?? []);
