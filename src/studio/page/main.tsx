import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Overview } from "../api.js";
import { ChangeBanner, RestartButton } from "./change-banner.js";
import { AgentsView } from "./agents/agents-view.js";
import { EvaluationsView } from "./evaluations/evaluations-view.js";
import { useContextState } from "./shared/context-state.js";
import { ReplayPage } from "./replay/replay-page.js";
import { RunsView } from "./runs/runs-view.js";
import { ask, messageOf, takeToken } from "./shared/request.js";
import { Fault } from "./shared/text.js";
import { KnownTools } from "./shared/tool-link.js";
import { ToolsView } from "./tools/tools-view.js";

const views = [
  { id: "tools", label: "Tools" },
  { id: "agents", label: "Agents" },
  { id: "runs", label: "Runs" },
  { id: "evaluations", label: "Evaluations" },
] as const;

type ViewId = (typeof views)[number]["id"];

interface Place {
  readonly view: ViewId;
  /** What is opened in the view. */
  readonly selected: string | undefined;
  /** What is shown of it. */
  readonly part: string | undefined;
  /** The step of the selected run to replay from. */
  readonly step: number | undefined;
}

/** `#/tools/get_weather`, `#/agents/shop_agent/tools`, `#/runs/order-17/replay/2` */
function placeOf(hash: string): Place {
  const [, name = "", selected = "", part, step] = hash.split("/");
  const view = views.find(({ id }) => id === name)?.id ?? "tools";
  return {
    view,
    selected: selected === "" ? undefined : decoded(selected),
    part,
    step: part === "replay" && /^\d+$/.test(step ?? "") ? Number(step) : undefined,
  };
}

/** An address that was typed may be none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function Studio() {
  const [overview, setOverview] = useState<Overview>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    const load = (): void => void ask<Overview>("/api/studio").then(setOverview, (error: unknown) => setFault(messageOf(error)));
    load();
    // Coming back from the editor is when a module may have changed.
    addEventListener("focus", load);
    return () => removeEventListener("focus", load);
  }, []);
  if (overview === undefined) {
    return (
      <div class="empty">
        <h1>Toolwright Studio</h1>
        {fault === undefined ? <p class="note">Loading...</p> : <Fault message={fault} />}
      </div>
    );
  }
  return <Loaded overview={overview} fault={fault} />;
}

function Loaded({ overview, fault }: { readonly overview: Overview; readonly fault: string | undefined }) {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  const known = useMemo(() => new Set(overview.tools.map(({ id }) => id)), [overview.tools]);
  useEffect(() => {
    const follow = (): void => setPlace(placeOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const isOpened = useRef(false);
  // A link to another part of what is shown keeps the focus.
  useEffect(() => {
    if (isOpened.current) document.getElementById("main")?.focus();
    isOpened.current = true;
  }, [place.view, place.selected, place.step]);
  return (
    <>
      <header>
        <button type="button" class="skip" onClick={skip}>
          Skip to the content
        </button>
        <h1>Toolwright Studio</h1>
        <nav aria-label="Views">
          {views.map(({ id, label }) => (
            <a key={id} href={`#/${id}`} aria-current={place.view === id ? "page" : undefined}>
              {label}
            </a>
          ))}
        </nav>
        {overview.canRestart && (
          <div class="end">
            <RestartButton />
          </div>
        )}
      </header>
      <ChangeBanner overview={overview} />
      <Fault message={fault} />
      <KnownTools.Provider value={known}>
        <View place={place} overview={overview} />
      </KnownTools.Provider>
    </>
  );
}

/** The hash is the place in the studio, so no link can name an element. */
const skip = (): void => document.getElementById("main")?.focus();

interface ViewProps {
  readonly place: Place;
  readonly overview: Overview;
}

/** Each kind of work has its own context: one that was written for a call must not change a chat. */
function View({ place: { view, selected, part, step }, overview }: ViewProps) {
  const ofTools = useContextState("tools-context", overview.context);
  const ofChats = useContextState("chat-context", overview.context);
  if (view === "runs" && selected !== undefined && step !== undefined) {
    return <ReplayPage key={`${selected} ${step}`} overview={overview} runId={selected} step={step} context={ofChats.text} />;
  }
  if (view === "runs") return <RunsView hasStorage={overview.hasStorage} selected={selected} />;
  if (view === "evaluations") return <EvaluationsView agents={overview.agents} />;
  if (view === "agents") return <AgentsView overview={overview} selected={selected} part={part} context={ofChats} />;
  return <ToolsView overview={overview} selected={selected} context={ofTools} />;
}

takeToken();
const root = document.getElementById("studio");
if (root !== null) render(<Studio />, root);
