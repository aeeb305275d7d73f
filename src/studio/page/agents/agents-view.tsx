import { useState } from "preact/hooks";
import type { AgentLine, Overview } from "../../api.js";
import type { ContextState } from "../shared/context-state.js";
import { PageTitle } from "../shared/page-title.js";
import { Fault, Visible } from "../shared/text.js";
import { Chat } from "./chat.js";
import { Compare } from "./compare.js";

interface AgentsViewProps {
  readonly overview: Overview;
  readonly selected: string | undefined;
  readonly context: ContextState;
}

export function AgentsView({ overview: { agents, models }, selected, context }: AgentsViewProps) {
  const agent = agents.find(({ id }) => id === selected);
  return (
    <div class="split" data-open={selected !== undefined}>
      <nav class="list" aria-label="Agents">
        <p class="note">
          {agents.length} {agents.length === 1 ? "agent" : "agents"}
        </p>
        <ul>
          {agents.map(({ id, name, model }) => (
            <li key={id}>
              <a href={`#/agents/${encodeURIComponent(id)}`} aria-current={id === selected ? "page" : undefined}>
                <span class="name">
                  <Visible text={name} />
                </span>
                <span class="sub">
                  <Visible text={model ?? "a function chooses the model"} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="main" tabIndex={-1}>
        {agent !== undefined ? (
          <AgentPage key={agent.id} agent={agent} context={context} models={models} />
        ) : selected === undefined ? (
          <Welcome count={agents.length} />
        ) : (
          <Fault message={`There is no agent "${selected}".`} />
        )}
      </main>
    </div>
  );
}

const Welcome = ({ count }: { readonly count: number }) => (
  <div class="empty">
    <h2>{count === 0 ? "No agents" : "Choose an agent"}</h2>
    <p>
      {count === 0
        ? "The modules export no agent. Export classes that extend Agent, and start the studio again."
        : "Talk to it, decide about its calls, and see which tools it gives to whom."}
    </p>
  </div>
);

interface AgentPageProps {
  readonly agent: AgentLine;
  readonly context: ContextState;
  readonly models: readonly string[];
}

function AgentPage({ agent, context, models }: AgentPageProps) {
  const [shown, setShown] = useState<"chat" | "tools">("chat");
  const { name, description = "", module, model } = agent;
  return (
    <article>
      <PageTitle title={name} list="#/agents" back="All agents" />
      <p class="description">
        <Visible text={description} />
      </p>
      <p class="note">
        <Visible text={`${module}, ${model ?? "a function chooses the model"}`} />
      </p>
      <fieldset class="switch panel" aria-label="Show">
        <button type="button" aria-pressed={shown === "chat"} onClick={() => setShown("chat")}>
          Chat
        </button>
        <button type="button" aria-pressed={shown === "tools"} onClick={() => setShown("tools")}>
          Tools by context
        </button>
      </fieldset>
      {/* The chat goes on while the other view is shown. */}
      <div hidden={shown !== "chat"}>
        <Chat agent={agent} context={context} models={models} />
      </div>
      {shown === "tools" && <Compare agent={agent} context={context} />}
    </article>
  );
}
