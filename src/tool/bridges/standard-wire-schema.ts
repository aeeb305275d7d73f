import type { JsonSchema, StandardSchema } from "../../schema/index.js";
import { ToolDefinitionError } from "../tool-errors.js";
import { memberPath } from "../definition/revival.js";
import { jsonSchemaOfStandard } from "./standard-schema-check.js";

type Side = "input" | "output";

/** The JSON Schema of a Standard Schema. Throws `ToolDefinitionError` that names the members that it has no form for; `place` begins it. */
export function wireSchemaOf(standard: StandardSchema, place: string, side: Side): JsonSchema {
  let schema: JsonSchema | undefined;
  try {
    schema = jsonSchemaOfStandard(standard, side);
  } catch (error) {
    throw new ToolDefinitionError(`${place}: ${whyUntellable(standard, side, error)}`, { cause: error });
  }
  if (schema === undefined) throw new ToolDefinitionError(`${place}: ${whyWithoutSchema(standard)} ${orRawSchema}`);
  return schema;
}

const orRawSchema = "Or write JSON Schema in its place (in a decorator: { schema: { ... } }).";

function whyUntellable(standard: StandardSchema, side: Side, error: unknown): string {
  const { vendor } = standard["~standard"];
  const members = untellableMembers(standard, side);
  if (members.length > 0) return `JSON Schema has no form for ${members.join(", ")}. ${orRawSchema}`;
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").slice(0, mostOfReason);
  if (error instanceof ReferenceError || isMissingMember(error)) {
    return (
      `a member of this ${vendor} type doesn't exist yet (${reason}). The definition was read before that type was defined, or two ` +
      "files import each other. Define the type above the line that attaches the tool, or move it into a file that imports neither."
    );
  }
  return `this ${vendor} type has no JSON Schema: ${reason.replace(/\.$/, "")}. Use types that JSON has. ${orRawSchema}`;
}

/** Characters: some libraries write a document into the message. */
const mostOfReason = 200;

/** What zod throws if `z.lazy` or a getter gives it `undefined`. */
const isMissingMember = (error: unknown): boolean => error instanceof TypeError && error.message.includes("undefined (reading '_zod')");

function whyWithoutSchema(standard: StandardSchema): string {
  const { vendor } = standard["~standard"];
  const { _zod: core } = standard as { readonly _zod?: { readonly traits?: ReadonlySet<string> } };
  if (core?.traits?.has("ZodMiniType") === true) {
    return 'types of zod/mini have no JSON Schema. Import the same type from "zod": import { z } from "zod".';
  }
  const fix =
    vendor === "zod"
      ? "Update zod to 4.2 or newer."
      : vendor === "valibot"
        ? "Wrap it in toStandardJsonSchema(...) of @valibot/to-json-schema."
        : `Use a version of ${vendor} that implements Standard JSON Schema.`;
  return `this ${vendor} type has no JSON Schema. ${fix}`;
}

/** What zod passes about a type that JSON Schema has no form for. */
interface Unrepresentable {
  readonly zodSchema?: { readonly _zod?: { readonly def?: { readonly type?: string } } };
  readonly path?: readonly (string | number)[];
}

/**
 * The members of a zod type that JSON Schema has no form for, each with its path, its kind and what to write instead; the first five
 * that zod reports. Empty for other libraries, and for versions of zod that don't report them.
 */
function untellableMembers(schema: StandardSchema, side: Side): readonly string[] {
  const found: string[] = [];
  const unrepresentable = ({ zodSchema, path = [] }: Unrepresentable): "any" => {
    const kind = zodSchema?._zod?.def?.type ?? "";
    found.push(`${placeOf(path)}, ${writtenAs[kind] ?? `z.${kind}()`} (write ${insteadOfKind(kind, side)})`);
    return "any";
  };
  try {
    schema["~standard"].jsonSchema?.[side]({ target: "draft-2020-12", libraryOptions: { unrepresentable } });
  } catch {
    // The first error is reported in its own words.
    return [];
  }
  return found.length > most ? [...found.slice(0, most), `${found.length - most} more`] : found;
}

const most = 5;

/** From the place in the JSON Schema to the place in the value: `properties.items.items.properties.price` is `items[].price`. */
function placeOf(path: readonly (string | number)[]): string {
  let place = "";
  for (let index = 0; index < path.length; index += 1) {
    const [step, next] = [path[index], path[index + 1]];
    if (step === "properties" && next !== undefined) {
      place = memberPath(place, String(next));
      index += 1;
    } else if (step === "prefixItems" && next !== undefined) {
      place += `[${next}]`;
      index += 1;
    } else if (step === "items") place += "[]";
    else if (step === "additionalProperties") place += "{}";
  }
  return place === "" ? "this type" : place;
}

const writtenAs: Readonly<Record<string, string>> = {
  custom: "z.custom() or z.instanceof()",
  literal: "a z.literal() of undefined or a bigint",
  catch: "a z.catch() with a function",
  transform: "a transform",
};

const instead: Readonly<Record<string, string>> = {
  bigint: "z.int(), or z.string() for more than 15 digits",
  map: "z.record(z.string(), ...)",
  set: "z.array(...)",
  symbol: "z.string()",
  undefined: "the type that it has otherwise with .optional()",
  void: "the type that it has otherwise with .optional()",
  nan: "z.number()",
  literal: "a text, a number, a boolean or null",
  catch: "the value itself: .catch(0)",
};

function insteadOfKind(kind: string, side: Side): string {
  if (kind === "date") return side === "input" ? "z.iso.datetime().transform((text) => new Date(text))" : "z.iso.datetime()";
  if (kind === "transform") {
    return side === "input"
      ? "the type that arrives before it: z.string().transform(...)"
      : "the type that it makes behind it: .pipe(z.number())";
  }
  return instead[kind] ?? "a type that JSON has, such as z.string() or z.object({ ... })";
}
