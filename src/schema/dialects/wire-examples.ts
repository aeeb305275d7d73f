import { isEqual } from "../json-equality.js";
import { compileSchema } from "../validation/compile-schema.js";
import { joinTexts } from "./notes.js";
import type { WireSchema } from "./wire-schema.js";

/** Arguments of a typical call, as JSON. */
export type WireExample = Readonly<Record<string, unknown>>;

const prefix = "Example arguments: ";

/** The description that ends with the examples, for models that take them nowhere else. */
export const describedByExamples = (description: string, examples: readonly WireExample[]): string =>
  joinTexts(description, examplesText(examples)) ?? "";

/** The opposite of `describedByExamples`. */
export function withoutExamples(description: string, examples: readonly WireExample[]): string {
  const text = `\n${examplesText(examples)}`;
  return description.endsWith(text) ? description.slice(0, -text.length) : description;
}

const examplesText = (examples: readonly WireExample[]): string =>
  examples.map((example) => `${prefix}${JSON.stringify(example)}`).join("\n");

/**
 * The examples with the names of the schema on the wire. One that the schema can't express is left out: the model would write calls that
 * are rejected.
 */
export function wireExamples(examples: readonly WireExample[], wire: WireSchema): readonly WireExample[] {
  const { restore, parameters } = wire;
  if (restore === undefined) return examples;
  const renamed = new Map<string, string>();
  for (const name of Object.keys(parameters.properties ?? {})) {
    // What undoes the renaming knows the names.
    const [own = name] = Object.keys(restore({ [name]: "" }) as object);
    renamed.set(own, name);
  }
  return examples.flatMap((example) => {
    const written = Object.fromEntries(Object.entries(example).map(([name, value]) => [renamed.get(name) ?? name, value]));
    return isEqual(restore(written), example) ? [written] : [];
  });
}

/** Whether the provider's own schema takes all of them: Anthropic rejects the whole request for one that it doesn't take. */
export const fitWire = (examples: readonly WireExample[], { parameters }: WireSchema): boolean =>
  examples.every((example) => compileSchema(parameters).validate(example, { owned: false, repair: false }).ok);
