import { useState } from "preact/hooks";
import { type ReadObject, readObject } from "./json-object.js";

/** A context that a person edits. */
export interface ContextState {
  readonly text: string;
  readonly read: ReadObject;
  readonly setText: (text: string) => void;
}

/** The text stays in this tab. */
export function useContextState(key: string, initial: object): ContextState {
  const stored = `toolwright-studio-${key}`;
  const [text, setText] = useState(
    () => sessionStorage.getItem(stored) ?? (Object.keys(initial).length === 0 ? "{}" : JSON.stringify(initial, undefined, 2)),
  );
  const change = (next: string): void => {
    sessionStorage.setItem(stored, next);
    setText(next);
  };
  return { text, read: readObject(text), setText: change };
}
