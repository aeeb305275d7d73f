import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { Visible } from "./text.js";

/** The ids of the tools that have a page. */
export const KnownTools = createContext<ReadonlySet<string>>(new Set());

/** The name of a tool, as a link to its page if it has one. */
export function ToolLink({ name }: { readonly name: string }) {
  const isKnown = useContext(KnownTools).has(name);
  return isKnown ? (
    <a href={`#/tools/${encodeURIComponent(name)}`}>
      <Visible text={name} />
    </a>
  ) : (
    <Visible text={name} />
  );
}
