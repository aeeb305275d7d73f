import { useState } from "preact/hooks";
import { type ReadObject, readObject } from "./json-object.js";
import { useKeptText } from "./use-kept-text.js";

/** A context that a person edits. */
export interface ContextState {
  readonly text: string;
  readonly read: ReadObject;
  readonly setText: (text: string) => void;
}

/** The text stays in this tab. */
export function useContextState(key: string, initial: object): ContextState {
  const [begun] = useState(() => (Object.keys(initial).length === 0 ? "{}" : JSON.stringify(initial, undefined, 2)));
  const [text = begun, setText] = useKeptText(key);
  return { text, read: readObject(text), setText };
}
