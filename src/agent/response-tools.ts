import { sharedByCopies } from "../platform/index.js";
import type { ToolClass } from "../tool/index.js";
import type { AgentResponse } from "./agent-response.js";
import { type AttachedTools, latestTools } from "./attached-tools.js";

/** Gives the object itself to a subclass, whose private field it then has. */
class Itself {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: see above
    return object;
  }
}

/** Tools at a response, in a private field: an entry of a WeakMap costs more than all else that is done at the end of a run. */
class ResponseWithTools extends Itself {
  readonly #tools: AttachedTools;

  constructor(response: AgentResponse, tools: AttachedTools) {
    super(response);
    this.#tools = tools;
  }

  static toolsOf(response: AgentResponse): AttachedTools | undefined {
    return #tools in response ? response.#tools : undefined;
  }
}

// The command line, an ES module, judges responses of agents that have the CommonJS copy of the package.
const Shared = sharedByCopies("responseTools.1", () => ResponseWithTools);

/** Remembers which tools the run had: a response has only their names. */
export function keepTools(response: AgentResponse, tools: AttachedTools): void {
  new Shared(response, tools);
}

/** The tools of the run, and those of the agents among them; none for a copy of a response. */
export function toolsBehind(response: AgentResponse): readonly ToolClass[] {
  const attached = Shared.toolsOf(response);
  if (attached === undefined) return [];
  const found = new Set([attached]);
  // Those that are added meanwhile are looked at too, and none twice.
  for (const { agents } of found) {
    for (const agent of agents) {
      const tools = latestTools(agent);
      if (tools !== undefined) found.add(tools);
    }
  }
  return [...found].flatMap(({ classes }) => classes);
}
