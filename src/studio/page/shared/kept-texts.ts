const keyOf = (name: string): string => `toolwright-studio-${name}`;

/** A text that this tab keeps over a reload; `undefined` if there is none. */
export const keptText = (name: string): string | undefined => sessionStorage.getItem(keyOf(name)) ?? undefined;

/** Keeps a text in this tab; `undefined` removes it. Returns whether the browser had room. If not, the text before is removed: it would come back. */
export function keepText(name: string, text: string | undefined): boolean {
  try {
    if (text === undefined) sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), text);
    return true;
  } catch {
    sessionStorage.removeItem(keyOf(name));
    return false;
  }
}
