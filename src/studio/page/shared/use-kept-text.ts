import { useState } from "preact/hooks";
import { keepText, keptText } from "./kept-texts.js";

/** A text that a person types, kept by this tab over a reload; `undefined` if there is none. */
export function useKeptText(name: string): readonly [text: string | undefined, setText: (text: string | undefined) => void] {
  const [text, setText] = useState(() => keptText(name));
  const change = (next: string | undefined): void => {
    setText(next);
    keepText(name, next);
  };
  return [text, change];
}
