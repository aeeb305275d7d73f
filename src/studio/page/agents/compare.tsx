import { useEffect, useState } from "preact/hooks";
import type { AgentLine, AgentTools } from "../../api.js";
import { ContextEditor } from "../shared/context-editor.js";
import { type ContextState, useContextState } from "../shared/context-state.js";
import { ask, messageOf } from "../shared/request.js";
import { Scrolling } from "../shared/scrolling.js";
import { Block, Fault, Visible } from "../shared/text.js";
import { ToolLink } from "../shared/tool-link.js";

/** Milliseconds without a key after which the tools are asked for. */
const pause = 300;

/** The tools and instructions that the agent gives to two users, side by side. `context`: what the first begins with. */
export function Compare({ agent, context }: { readonly agent: AgentLine; readonly context: ContextState }) {
  const first = useContextState("context-a", context.read.value ?? {});
  const second = useContextState("context-b", {});
  const [one, two] = [useTools(agent.id, first), useTools(agent.id, second)];
  const names = [...new Set([...one.tools, ...two.tools].map(({ name }) => name))];
  return (
    <section aria-label="Tools by context">
      <h3>Tools by context</h3>
      <div class="two">
        <ContextEditor id="context-one" label="Context A" text={first.text} read={first.read} onChange={first.setText} />
        <ContextEditor id="context-two" label="Context B" text={second.text} read={second.read} onChange={second.setText} />
      </div>
      <Fault message={one.fault && `Context A: ${one.fault}`} />
      <Fault message={two.fault && `Context B: ${two.fault}`} />
      {names.length === 0 ? (
        <p class="note">{one.isKnown && two.isKnown ? "The agent offers no tools with these contexts." : ""}</p>
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
                  <tr key={name} class={!one.isKnown || !two.isKnown || left.word === right.word ? "" : "differs"}>
                    <th scope="row">
                      <ToolLink name={name} />
                    </th>
                    <OfferCell offer={left} />
                    <OfferCell offer={right} />
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Scrolling>
      )}
      <div class="two">
        <Instructions label="Instructions A" given={one} />
        <Instructions label="Instructions B" given={two} />
      </div>
    </section>
  );
}

/** What an agent does with a tool for a context, and why. */
interface Offer {
  readonly word: string;
  readonly why?: string;
}

function offerOf({ isKnown, tools }: GivenTools, wanted: string): Offer {
  if (!isKnown) return { word: "unknown" };
  const tool = tools.find(({ name }) => name === wanted);
  if (tool === undefined) return { word: "not chosen" };
  if (!tool.permitted) return { word: "no access", ...(tool.lack !== undefined && { why: tool.lack }) };
  return { word: tool.deferred ? "by a search" : "offered" };
}

const OfferCell = ({ offer: { word, why } }: { readonly offer: Offer }) => (
  <td>
    {word}
    {why !== undefined && (
      <p class="note">
        <Visible text={why} />
      </p>
    )}
  </td>
);

function Instructions({ label, given: { isKnown, instructions } }: { readonly label: string; readonly given: GivenTools }) {
  return (
    <div>
      <h4>{label}</h4>
      {instructions !== "" ? <Block text={instructions} label={label} /> : <p class="note">{isKnown ? "None." : "Unknown."}</p>}
    </div>
  );
}

/** The answer for a context. `isKnown`: false if the context isn't JSON, nothing has answered, or the agent's functions threw. */
interface GivenTools extends Pick<AgentTools, "tools" | "instructions"> {
  readonly isKnown: boolean;
  readonly fault?: string | undefined;
}

const unknown: GivenTools = { isKnown: false, tools: [], instructions: "" };

function useTools(agentId: string, { text, read: { value } }: ContextState): GivenTools {
  const [given, setGiven] = useState(unknown);
  useEffect(() => {
    if (value === undefined) return setGiven(unknown);
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      ask<AgentTools>(`/api/agents/${encodeURIComponent(agentId)}/tools`, { context: value }, leaving.signal).then(
        ({ tools, instructions, error }) => setGiven({ isKnown: error === undefined, tools, instructions, fault: error }),
        (error: unknown) => !leaving.signal.aborted && setGiven({ ...unknown, fault: messageOf(error) }),
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [agentId, text]);
  return given;
}
