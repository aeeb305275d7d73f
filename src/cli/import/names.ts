const wordsIn = (text: string): readonly string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");

/** `list pets` is `ListPets`. */
export function pascalCase(text: string): string {
  const name = wordsIn(text)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join("");
  return /^[A-Za-z]/.test(name) ? name : `_${name}`;
}

/** `ListPets` is `list-pets`. */
export const kebabCase = (text: string): string => wordsIn(text).join("-").toLowerCase() || "tools";

/** `Swagger Petstore` is `swaggerPetstore`. */
export function camelCase(text: string): string {
  const name = pascalCase(text);
  return name[0]?.toLowerCase() + name.slice(1);
}

/** `Swagger Petstore` is `SWAGGER_PETSTORE`. */
export const variableName = (text: string): string =>
  wordsIn(text)
    .join("_")
    .toUpperCase()
    .replace(/^(?=\d)/, "_");

/** Gives each text another name: of several that are alike, the later ones get a number. */
export function distinct(texts: readonly string[], nameOf: (text: string) => string): readonly string[] {
  const taken = new Set<string>();
  return texts.map((text) => {
    const name = nameOf(text);
    let own = name;
    for (let number = 2; taken.has(own); number += 1) own = `${name}${number}`;
    taken.add(own);
    return own;
  });
}

/** Sorts imported names, whatever the case of their letters. */
export const byLetters = (one: string, other: string): number => (one.toLowerCase() < other.toLowerCase() ? -1 : 1);
