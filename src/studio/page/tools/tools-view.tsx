import { useEffect, useMemo, useState } from "preact/hooks";
import { chunksOf, useGrowing } from "../shared/growing.js";
import type { Overview, ToolDetail, ToolLine } from "../../api.js";
import type { ContextState } from "../shared/context-state.js";
import { ask, messageOf } from "../shared/request.js";
import { Fault, Visible } from "../shared/text.js";
import { ToolPage } from "./tool-page.js";

interface ToolsViewProps {
  readonly overview: Overview;
  readonly selected: string | undefined;
  readonly context: ContextState;
}

export function ToolsView({ overview, selected, context }: ToolsViewProps) {
  return (
    <div class="split" data-open={selected !== undefined}>
      <ToolList tools={overview.tools} selected={selected} />
      <main id="main" tabIndex={-1}>
        {selected === undefined ? <Welcome overview={overview} /> : <Loaded key={selected} id={selected} context={context} />}
      </main>
    </div>
  );
}

function ToolList({ tools, selected }: { readonly tools: readonly ToolLine[]; readonly selected: string | undefined }) {
  const [search, setSearch] = useState("");
  const matching = useMatching(tools, search);
  const places = useMemo(() => [...grouped(matching)].map(([place, lines]) => ({ place, chunks: chunksOf(lines) })), [matching]);
  const { count, more } = useGrowing(
    places.reduce((sum, { chunks }) => sum + chunks.length, 0),
    matching,
  );
  let left = count;
  return (
    <nav class="list" aria-label="Tools">
      <div class="field">
        <label for="search">Search tools</label>
        <input
          id="search"
          type="search"
          placeholder="Name, description, tag, role"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <p class="note" aria-live="polite">
        {matching.length === tools.length
          ? `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`
          : `${matching.length} of ${tools.length} tools`}
      </p>
      {places.map(({ place, chunks }) => {
        const shown = chunks.slice(0, left);
        left -= shown.length;
        return (
          shown.length > 0 && (
            <section key={place}>
              <h2>
                <Visible text={place} />
              </h2>
              <ul>
                {shown.map((lines, index) => (
                  <ToolLinks key={index} lines={lines} selected={lines.find(({ id }) => id === selected)?.id} />
                ))}
              </ul>
            </section>
          )
        );
      })}
      {more}
    </nav>
  );
}

/** The tools that have each word of the search. */
function useMatching(tools: readonly ToolLine[], search: string): readonly ToolLine[] {
  const isSearched = search.trim() !== "";
  const texts = useMemo(() => (isSearched ? tools.map(searchedText) : []), [tools, isSearched]);
  return useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return words.length === 0 ? tools : tools.filter((_, index) => words.every((word) => texts[index]?.includes(word)));
  }, [tools, texts, search]);
}

const searchedText = ({ name, description, tags, access, from = "", module }: ToolLine): string =>
  [name, description, from, module, ...tags, ...access].join(" ").toLowerCase();

/** Drawn again only if they changed: there may be thousands. */
function ToolLinks({ lines, selected }: { readonly lines: readonly ToolLine[]; readonly selected: string | undefined }) {
  return useMemo(
    () => (
      <>
        {lines.map((line) => (
          <li key={line.id}>
            <a href={`#/tools/${encodeURIComponent(line.id)}`} aria-current={line.id === selected ? "page" : undefined}>
              <span class="name">
                <Visible text={line.name} />
              </span>
              <Marks line={line} />
            </a>
          </li>
        ))}
      </>
    ),
    [lines, selected],
  );
}

function Marks({ line: { approval, findings } }: { readonly line: ToolLine }) {
  return (
    <>
      {approval !== false && <span class="mark">{approval === "answered" ? "question" : "approval"}</span>}
      {findings > 0 && (
        <span class="mark wait">
          {findings} {findings === 1 ? "finding" : "findings"}
        </span>
      )}
    </>
  );
}

const placeOf = ({ from, module }: ToolLine): string => from ?? module;

function grouped(lines: readonly ToolLine[]): Map<string, ToolLine[]> {
  const groups = new Map<string, ToolLine[]>();
  for (const line of lines) {
    const group = groups.get(placeOf(line));
    if (group === undefined) groups.set(placeOf(line), [line]);
    else group.push(line);
  }
  return groups;
}

function Welcome({ overview: { tools, agents, findings } }: { readonly overview: Overview }) {
  const choosing = agents.filter(({ choosesTools }) => choosesTools).map(({ name }) => name);
  return (
    <div class="empty">
      <h2>{tools.length === 0 ? "No tools" : "Choose a tool"}</h2>
      <p>
        {tools.length === 0
          ? "The modules export no tool that can be shown. Export classes that extend Tool, and start the studio again."
          : "See its schemas, call it as any user, and read what a model would read."}
      </p>
      {choosing.length > 0 && (
        <p>
          A function chooses the tools of <Visible text={choosing.join(", ")} />. Those that no module exports aren't in the list: start the
          studio with the modules of the tools, too.
        </p>
      )}
      {findings.length > 0 && (
        <>
          <h3>Problems</h3>
          <ul class="faults">
            {findings.map(({ tool, module, message, rule }) => (
              <li key={tool + rule}>
                <b>
                  <Visible text={tool} />
                </b>{" "}
                <span class="note">
                  <Visible text={module} />
                </span>
                <p class="fault">
                  <Visible text={message} />
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Loaded({ id, context }: { readonly id: string; readonly context: ContextState }) {
  const [tool, setTool] = useState<ToolDetail>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    ask<ToolDetail>(`/api/tools/${encodeURIComponent(id)}`).then(setTool, (error: unknown) => setFault(messageOf(error)));
  }, [id]);
  if (fault !== undefined) return <Fault message={fault} />;
  return tool === undefined ? <p class="note">Loading...</p> : <ToolPage tool={tool} context={context} />;
}
