/** A place in a value, as a chain from the inside out; it becomes text only when a message needs it. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

/** Longer names are cut in paths. */
const maxNameLength = 200;

const plainName = /^[A-Za-z_$][\w$]*$/;

/** `items[1].price`, `headers["Content-Type"]`; empty for the value itself. */
export function pathOf(place: Place | undefined): string {
  if (place === undefined) return "";
  const { parent } = place;
  if (typeof place.key === "number") return `${pathOf(parent)}[${place.key}]`;
  const key = place.key.length > maxNameLength ? `${place.key.slice(0, maxNameLength)}...` : place.key;
  if (!plainName.test(key)) return `${pathOf(parent)}[${JSON.stringify(key)}]`;
  return parent === undefined ? key : `${pathOf(parent)}.${key}`;
}

/** How many steps lead to a place. */
export function depthOf(place: Place | undefined): number {
  let depth = 0;
  for (let step = place; step !== undefined; step = step.parent) depth++;
  return depth;
}

/** The place that a JSON pointer names in a value: a step into an array is an index. */
export function placeOfPointer(pointer: string, value: unknown): Place | undefined {
  let place: Place | undefined;
  let current = value;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    place = { parent: place, key: Array.isArray(current) ? Number(name) : name };
    current = typeof current === "object" && current !== null ? (current as Record<string, unknown>)[name] : undefined;
  }
  return place;
}

/** The place as a JSON pointer with a leading `#`: `#/properties/city`. */
export function pointerOf(place: Place | undefined): string {
  if (place === undefined) return "#";
  return `${pointerOf(place.parent)}/${String(place.key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
