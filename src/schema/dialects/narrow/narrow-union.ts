import type { SchemaNode } from "../../keywords.js";
import { isRecord } from "../../type-guards.js";
import { UnfitError } from "../conversion.js";
import { areDisjoint } from "./disjoint.js";
import { flatten } from "../merge-schemas.js";
import type { NarrowSchema, Written } from "./narrow-schema.js";
import { joinTexts } from "../notes.js";
import { nullable } from "./nullable.js";
import { restoreUnion } from "../restore.js";

/** `anyOf` or `oneOf`, with what stands beside it. */
export function writeUnion(schema: NarrowSchema, node: SchemaNode): Written {
  const { document, rules } = schema;
  const key = node.anyOf === undefined ? "oneOf" : "anyOf";
  const { [key]: union, title, description, default: fallback, examples, ...rest } = node;
  const branches = union as readonly unknown[];
  const isPlain = Object.keys(rest).length === 0;
  const whole = isPlain ? branches : branches.map((branch) => ({ allOf: [rest, branch] }));
  const possible = whole.filter((branch) => flatten(branch, document) !== false);
  const isWritable = possible.length > 0 && possible.every((branch) => flatten(branch, document) !== undefined);
  const isExact = key === "anyOf" || areDisjoint(possible, document);
  if (rules.isStrict && !(isWritable && isExact)) throw new UnfitError(`its ${key} can't be written as anyOf`);
  const annotations = { title, description, default: fallback, examples };
  if (isWritable) return joinBranches(schema, { annotations, branches: possible, node, ...(!isExact && { inexact: "oneOf" }) });
  // The union can't be separated from the keywords beside it: these are written, and the union is described.
  const { [key]: _union, ...own } = node;
  const written = schema.writeFlat(own);
  const notes = schema.notes();
  notes.add(key, union);
  return { ...written, wire: { ...written.wire, description: joinTexts(written.wire.description, notes.text) } };
}

export interface Union {
  /** What is said of all branches together. */
  readonly annotations: SchemaNode;
  readonly branches: readonly unknown[];
  /** The schema that the branches are. */
  readonly node: SchemaNode;
  /** Its keyword, if `anyOf` accepts more than it does. */
  readonly inexact?: "oneOf";
}

export function joinBranches(schema: NarrowSchema, { annotations, branches: schemas, node, inexact }: Union): Written {
  const { rules } = schema;
  const branches = schemas.map((branch) => ({ branch, ...schema.write(branch) }));
  const values = branches.filter(({ wire }) => wire.type !== "null");
  const texts = values.filter(({ wire }) => canBeText(wire));
  // A text that stands for another value, beside a text that stands for itself, could be read as either.
  if (texts.length > 1 && texts.some(({ isCoded }) => isCoded)) return schema.writeText(node, "");
  const notes = schema.notes();
  if (inexact !== undefined) notes.add(inexact, node[inexact]);
  schema.note(annotations, notes);
  const description = joinTexts(annotations.description, notes.text);
  const isNullable = values.length < branches.length;
  const [only] = values;
  const restore = restoreUnion(
    branches.map(({ branch, wire, restore: restoreBranch }) => ({
      takes: schema.taking(wire),
      fits: (value) => schema.takes(branch, value),
      restore: restoreBranch,
    })),
  );
  const isCoded = texts.some((text) => text.isCoded);
  if (only !== undefined && values.length === 1) {
    const wire = isNullable ? nullable(only.wire) : only.wire;
    const text = joinTexts(description, wire.description);
    return { wire: text === undefined ? wire : described(wire, text), restore, isCoded };
  }
  const options = values.map(({ wire }) =>
    rules.loneUnions && description !== undefined ? { ...wire, description: joinTexts(description, wire.description) } : wire,
  );
  const anyOf = isNullable ? [...options, { type: "null" }] : options;
  if (rules.loneUnions) return { wire: { anyOf }, restore, isCoded };
  const title = rules.keywords.has("title") && annotations.title !== undefined ? { title: annotations.title } : {};
  return { wire: { anyOf, ...title, ...(description !== undefined && { description }) }, restore, isCoded };
}

const described = (wire: Record<string, unknown>, description: string): Record<string, unknown> =>
  wire.$ref === undefined ? { ...wire, description } : { anyOf: [wire], description };

const canBeText = ({ type, anyOf }: SchemaNode): boolean =>
  type === "string" ||
  (Array.isArray(type) && type.includes("string")) ||
  (Array.isArray(anyOf) && anyOf.some((inner) => isRecord(inner) && canBeText(inner)));
