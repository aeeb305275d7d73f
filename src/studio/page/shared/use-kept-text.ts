import { useState } from "preact/hooks";

/** A text that a person types, kept by this tab over a reload; `undefined` if there is none. */
export function useKeptText(name: string): readonly [text: string | undefined, setText: (text: string | undefined) => void] {
  const key = `toolwright-studio-${name}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? undefined);
  const change = (next: string | undefined): void => {
    if (next === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, next);
    setText(next);
  };
  return [text, change];
}
