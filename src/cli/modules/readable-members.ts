/** The members of an object, without those whose getter throws: a package may load on use what isn't installed. */
export const readableMembers = (holder: object): readonly (readonly [name: string, value: unknown])[] =>
  Object.keys(holder).flatMap((name) => {
    try {
      return [[name, (holder as Readonly<Record<string, unknown>>)[name]] as const];
    } catch {
      return [];
    }
  });

/** Whether an object is a holder of members alone: a plain one, or what a module exports. */
export const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value) as unknown;
  // The prototype of a module namespace is null; a plain object may come from another realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};
