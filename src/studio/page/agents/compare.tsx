import { useEffect, useState } from "preact/hooks";
import type { AgentLine, AgentTools } from "../../api.js";
import { ContextEditor } from "../shared/context-editor.js";
import { type ContextState, useContextState } from "../shared/context-state.js";
import { ask } from "../shared/request.js";
import { Scrolling } from "../shared/scrolling.js";
import { Block, Fault, Visible } from "../shared/text.js";

/** Milliseconds without a key after which the tools are asked for. */
const pause = 300;

/** The tools and instructions that the agent gives to two users, side by side. */
export function Compare({ agent, context }: { readonly agent: AgentLine; readonly context: ContextState }) {
  const other = useContextState("other-context", {});
  const [one, two] = [useTools(agent.id, context), useTools(agent.id, other)];
  const names = [...new Set([...(one?.tools ?? []), ...(two?.tools ?? [])].map(({ name }) => name))];
  return (
    <section aria-label="Tools by context">
      <h3>Tools by context</h3>
      <div class="two">
        <ContextEditor id="context-one" label="Context A" text={context.text} read={context.read} onChange={context.setText} />
        <ContextEditor id="context-two" label="Context B" text={other.text} read={other.read} onChange={other.setText} />
      </div>
      <Fault message={one?.error && `Context A: ${one.error}`} />
      <Fault message={two?.error && `Context B: ${two.error}`} />
      {names.length === 0 ? (
        <p class="note">{one === undefined && two === undefined ? "" : "The agent offers no tools with these contexts."}</p>
      ) : (
        <Scrolling class="wide" label="Tools of both contexts">
          <table>
            <thead>
              <tr>
                <th scope="col">tool</th>
                <th scope="col">A</th>
                <th scope="col">B</th>
              </tr>
            </thead>
            <tbody>
              {names.map((name) => {
                const [left, right] = [offerOf(one, name), offerOf(two, name)];
                return (
                  <tr key={name} class={left === right ? "" : "differs"}>
                    <th scope="row">
                      <Visible text={name} />
                    </th>
                    <td>{left}</td>
                    <td>{right}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Scrolling>
      )}
      <div class="two">
        <Instructions label="Instructions A" tools={one} />
        <Instructions label="Instructions B" tools={two} />
      </div>
    </section>
  );
}

function offerOf(given: AgentTools | undefined, wanted: string): string {
  const tool = given?.tools.find(({ name }) => name === wanted);
  if (tool === undefined) return "not chosen";
  if (!tool.permitted) return "no access";
  return tool.deferred ? "by a search" : "offered";
}

function Instructions({ label, tools }: { readonly label: string; readonly tools: AgentTools | undefined }) {
  return (
    <div>
      <h4>{label}</h4>
      {tools === undefined || tools.instructions === "" ? <p class="note">None.</p> : <Block text={tools.instructions} label={label} />}
    </div>
  );
}

/** The last answer stays while a context isn't JSON. */
function useTools(agentId: string, { text, read }: ContextState): AgentTools | undefined {
  const [tools, setTools] = useState<AgentTools>();
  useEffect(() => {
    const { value } = read;
    if (value === undefined) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      ask<AgentTools>(`/api/agents/${encodeURIComponent(agentId)}/tools`, { context: value }, leaving.signal).then(
        setTools,
        () => undefined,
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [agentId, text]);
  return tools;
}
