/** The members of an object, without those whose getter throws: a package may load on use what isn't installed. */
export const readableMembers = (holder: object): readonly (readonly [name: string, value: unknown])[] =>
  Object.keys(holder).flatMap((name) => {
    try {
      return [[name, (holder as Readonly<Record<string, unknown>>)[name]] as const];
    } catch {
      return [];
    }
  });
