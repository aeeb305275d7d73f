/** The first value that JSON wouldn't keep as it is, such as `context.user.load is a function`; `undefined` if there is none. */
export function jsonFault(value: unknown, path: string, holders: readonly object[] = []): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${path} is ${value}`;
  if (value === undefined) return `${path} is undefined`;
  if (typeof value !== "object") return `${path} is a ${typeof value}`;
  if (holders.includes(value)) return `${path} contains itself`;
  const inside = [...holders, value];
  if (Array.isArray(value)) return firstFault(value.entries(), (index) => `${path}[${index}]`, inside);
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return `${path} is an instance of ${prototype.constructor?.name || "a class"}`;
  }
  // What JSON leaves out of an object means the same as its absence.
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return firstFault(members, (name) => (isPlainName.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`), inside);
}

function firstFault<Key>(members: Iterable<[Key, unknown]>, pathOf: (key: Key) => string, holders: readonly object[]): string | undefined {
  for (const [key, member] of members) {
    const fault = jsonFault(member, pathOf(key), holders);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const isPlainName = /^[A-Za-z_$][\w$]*$/;
