import type { Conversation } from "../../conversation/internal.js";
import type { ExecutionProfile, RunScope } from "../../execution/index.js";
import type { ChatModel, ModelTool } from "../../models/index.js";
import { namesFoundIn, searchToolName } from "../../models/internal.js";
import type { AttachedTools } from "../attached-tools.js";

/** The tools that the model of a run is offered: those that aren't deferred, and those that it has found in the conversation. */
export class OfferedTools {
  readonly #tools: AttachedTools;
  readonly #conversation: Conversation;
  /** Own names of deferred tools, in the order in which they were found. */
  readonly #found: Set<string>;
  /** How many messages were looked through. */
  #read = 0;
  #latest: { readonly count: number; readonly tools: readonly ModelTool[] } | undefined;

  constructor(tools: AttachedTools, conversation: Conversation) {
    this.#tools = tools;
    this.#conversation = conversation;
    // Most runs have no deferred tools.
    this.#found = tools.deferred.size === 0 ? nothingFound : new Set();
  }

  /** The tools that the next request offers to the model; the same list as long as they are the same. */
  for(model: ChatModel): readonly ModelTool[] {
    const { deferred, described } = this.#tools;
    if (deferred.size === 0) return described;
    this.#tools.askedModel = model;
    this.#readOn();
    if (this.#latest?.count !== this.#found.size) {
      this.#latest = { count: this.#found.size, tools: [...described, ...this.#tools.found(this.#found)] };
    }
    return this.#latest.tools;
  }

  /** The application itself names a deferred tool for the model to call. */
  find(name: string): void {
    if (this.#tools.deferred.has(name)) this.#found.add(name);
  }

  /**
   * The scope in which a call of the model is checked. A tool that wasn't offered is answered like one that doesn't exist, and the answer
   * names those that were. The search is checked by the tools that it returns: a profile knows nothing of it.
   * `step`: the scope of the step, which may be limited to the names in `allowed`.
   */
  scopeOf(name: string, scope: RunScope, step: RunScope, allowed: readonly string[] | undefined): RunScope {
    const { deferred } = this.#tools;
    if (deferred.size === 0) return step;
    if (name === searchToolName && allowed?.includes(name) !== false) return withProfile(scope, undefined);
    if (this.#read === 0) this.#readOn();
    const isOffered = (one: string): boolean => !deferred.has(one) || this.#found.has(one);
    const known = this.#tools.classes.map(({ definition }) => definition.name);
    if (known.includes(name) && isOffered(name)) return step;
    return withProfile(scope, { allowedTools: known.filter((one) => isOffered(one) && allowed?.includes(one) !== false) });
  }

  /** A restored history is read when the run needs it for the first time. What was offered without a search stays found, too. */
  #readOn(): void {
    const { names } = this.#tools;
    if (this.#read === 0) for (const { name } of this.#conversation.tools) this.find(names.toTool(name));
    const messages = this.#conversation.copyFrom(this.#read);
    this.#read += messages.length;
    for (const message of messages) for (const wire of namesFoundIn(message)) this.find(names.toTool(wire));
  }
}

const withProfile = ({ profile: _, ...scope }: RunScope, profile: ExecutionProfile | undefined): RunScope =>
  profile === undefined ? scope : { ...scope, profile };

const nothingFound = new Set<string>();
