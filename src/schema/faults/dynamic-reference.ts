import type { SchemaNode } from "../keywords.js";
import type { WalkSession } from "./walk.js";

/** What a `$dynamicRef` leads to: the anchor of its name in the outermost resource that was entered on the way, if there is one. */
export function dynamicTarget(schema: SchemaNode, { document: { dynamic }, resources, budget }: WalkSession): unknown {
  const reference = dynamic?.references.get(schema);
  if (dynamic === undefined || reference === undefined) return undefined;
  if (reference.name === undefined) return reference.target;
  budget.spend(20 * resources.length);
  for (const resource of resources) {
    const anchor = dynamic.anchors.get(`${resource}#${reference.name}`);
    if (anchor?.$dynamicAnchor === reference.name) return anchor;
  }
  return reference.target;
}
