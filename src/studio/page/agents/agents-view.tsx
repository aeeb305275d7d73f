import type { AgentLine, Overview } from "../../api.js";
import type { ContextState } from "../shared/context-state.js";
import { PageTitle } from "../shared/page-title.js";
import { Fault, Visible } from "../shared/text.js";
import { Chat } from "./chat.js";
import { Compare } from "./compare.js";

interface AgentsViewProps {
  readonly overview: Overview;
  readonly selected: string | undefined;
  /** `tools`: its tools by context. Else the chat. */
  readonly part: string | undefined;
  /** The context of chats. */
  readonly context: ContextState;
}

export function AgentsView({ overview: { agents, models, process }, selected, part, context }: AgentsViewProps) {
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
          <AgentPage key={agent.id} agent={agent} part={part} context={context} models={models} process={process} />
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
  readonly part: string | undefined;
  readonly context: ContextState;
  readonly models: readonly string[];
  readonly process: string;
}

function AgentPage({ agent, part, context, models, process }: AgentPageProps) {
  const { id, name, description, module, model } = agent;
  const isChat = part !== "tools";
  const address = `#/agents/${encodeURIComponent(id)}`;
  return (
    <article>
      <PageTitle title={name} list="#/agents" back="All agents" />
      {description !== undefined && (
        <p class="description">
          <Visible text={description} />
        </p>
      )}
      <p class="note">
        <Visible text={`${module}, ${model ?? "a function chooses the model"}`} />
      </p>
      <nav class="switch panel" aria-label="Show">
        <a href={address} aria-current={isChat ? "page" : undefined}>
          Chat
        </a>
        <a href={`${address}/tools`} aria-current={isChat ? undefined : "page"}>
          Tools by context
        </a>
      </nav>
      {/* The chat goes on while the other view is shown. */}
      <div hidden={!isChat}>
        <Chat agent={agent} context={context} models={models} process={process} />
      </div>
      {!isChat && <Compare agent={agent} context={context} />}
    </article>
  );
}
