import { isTypeToken } from "../../schema/index.js";
import { ToolDefinitionError } from "../tool-errors.js";
import { type DesignType, isDecoratorContext, type ParameterMetadata } from "../metadata.js";
import type { ParameterWord } from "./compile-time/checked.js";
import { unknownOption } from "./parameter-options.js";
import { nameOfPlace, type Place, placeOf } from "./decorator-place.js";

/**
 * The decorator behind `@required` and `@optional`. What a leading string means is known only when it is applied:
 * the description of a field, or the name of a parameter of `call`.
 */
export function parameterDecorator(word: ParameterWord, written: readonly unknown[]) {
  refuseBareUse(word, written);
  return (target: unknown, keyOrContext: unknown, third?: unknown): void => {
    const place = placeOf(target, keyOrContext, third);
    const mistake = writeParameter(word, written, place);
    if (mistake !== undefined) (place.metadata.mistakes ??= []).push(`@${word} on ${nameOfPlace(place)}: ${mistake}`);
  };
}

/** Answers the author's mistake, if there is one. */
function writeParameter(word: ParameterWord, written: readonly unknown[], place: Place): string | undefined {
  if (place.kind === "elsewhere") return "a parameter is a public instance field, or a parameter of call. Move the decorator to one.";

  const first = written[0];
  const isField = place.kind === "field";
  if (isField && typeof first === "string" && written.length > 1) {
    return `a field takes no name. Write @${word}(String, "The description") ${place.name}.`;
  }
  if (!isField && (typeof first !== "string" || first === "")) {
    return `its name can't be read at run time. Write it first: @${word}("name", String).`;
  }

  const form = readForm(isField ? written : written.slice(1));
  if (typeof form === "string") return form;
  const name = isField ? place.name : (first as string);
  const { metadata } = place;
  const isTaken = isField ? metadata.fields.some((field) => field.name === name) : metadata.callParameters?.has(place.index) === true;
  if (isTaken) return "it is decorated twice. Keep one of @required and @optional.";
  const { type, options } = form;
  if (word === "required" && options.default !== undefined) {
    return "it has a default, which a required parameter never uses. Write @optional with the default, or remove the default.";
  }
  const isSettled = type !== undefined || options.enum !== undefined || options.schema !== undefined;
  const meant = isSettled ? undefined : tokenNames.get(String(options.description).toLowerCase());
  if (meant !== undefined) {
    const line = isField ? meant : `"${name}", ${meant}`;
    return `its description is "${String(options.description)}", the name of a type. Write the type itself: @${word}(${line}).`;
  }
  const designType = isSettled && !isCollection(place.designType()) ? notAsked : place.designType;
  const parameter = { name, required: word === "required", type, options, designType };
  if (isField) metadata.fields = [...metadata.fields, parameter];
  else (metadata.callParameters ??= new Map()).set(place.index, parameter);
  return undefined;
}

/** Names that authors write in place of the description, and mean as the type. */
const tokenNames: ReadonlyMap<string, string> = new Map([
  ...["String", "Number", "Integer", "Boolean", "Date", "Object"].map((token) => [token.toLowerCase(), token] as const),
  ["array", "[String]"],
]);

/** Nothing makes a `Map` or `Set` of what arrives, whatever is written out. */
const isCollection = (emitted: DesignType): boolean => emitted.known && (emitted.type === Map || emitted.type === Set);

/** What is written out wins over every other type, so that the way to what the compiler emitted needn't be kept. */
const notAsked = (): DesignType => ({ known: false, reason: "not_emitted" });

/** Reads `()`, `(type)`, `(type, description)`, `(type, options)`, `(options)` or `(description)`; answers the mistake as text. */
function readForm(form: readonly unknown[]): Pick<ParameterMetadata, "type" | "options"> | string {
  if (form.length > 0 && form[0] === undefined) return typeIsUndefined;
  const hasToken = isTypeToken(form[0]);
  const token = hasToken ? form[0] : undefined;
  const written = form[hasToken ? 1 : 0];
  if (written !== undefined && (typeof written !== "object" || written === null || isTypeToken(written)) && typeof written !== "string") {
    return `${String(written)} is neither a type, a description nor options. Write (type, description) or (type, options).`;
  }
  if (form.length > (hasToken ? 2 : 1)) return "it takes a type, and a description or options. Write the description into the options.";
  const options = (typeof written === "string" ? { description: written } : (written ?? noOptions)) as Readonly<Record<string, unknown>>;
  const mistake = unknownOption(options);
  if (mistake !== undefined) return mistake;
  if (!Object.hasOwn(options, "type")) return { type: token, options };
  if (token !== undefined) return "its type is written twice. Keep one.";
  const { type, ...others } = options;
  return type === undefined ? typeIsUndefined : { type, options: others };
}

const typeIsUndefined = "its type is undefined here, as a circular import leaves it. Write it as an arrow function: () => TheClass.";

const noOptions = Object.freeze({});

/** `@required city` without parentheses would be taken for a call that makes a decorator, and lost without a word. */
function refuseBareUse(word: ParameterWord, written: readonly unknown[]): void {
  const target = written[0];
  const keyOrContext = written[1];
  const isPrototype = typeof target === "object" && target !== null && Object.hasOwn(target, "constructor");
  if (!isPrototype && !isDecoratorContext(keyOrContext)) return;
  const name = isDecoratorContext(keyOrContext) ? keyOrContext.name : keyOrContext;
  const owner = isPrototype ? `${target.constructor.name}: ` : "";
  throw new ToolDefinitionError(`${owner}@${word} on ${String(name)}: write parentheses behind it: @${word}(String) ${String(name)}.`);
}
