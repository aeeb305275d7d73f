/** The member of a JSON value, by names that are joined by dots; `undefined` if there is none. */
export function pick(value: unknown, way: string): unknown {
  return way
    .split(".")
    .reduce<unknown>(
      (member, name) =>
        typeof member === "object" && member !== null && Object.hasOwn(member, name)
          ? (member as Record<string, unknown>)[name]
          : undefined,
      value,
    );
}
