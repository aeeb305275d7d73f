import { createHash } from "node:crypto";
import type { AuthInfo, ServerContext, Tool } from "@modelcontextprotocol/server";
import type { ExecutorOptions, RunScope } from "../../execution/index.js";
import { checkProfile, checkRun, currentContainer, keepSettings, startScope, type WithSettings } from "../../execution/internal.js";
import type { ToolClass } from "../../tool/index.js";
import { isToolClass, openToolList } from "../../tool/internal.js";
import { loggedError, warnProcess } from "../../redaction/internal.js";
import { ProgressRoutes } from "./progress-routes.js";
import { callerOf } from "./access.js";
import type { McpCaller, McpServerOptions, McpTools } from "./server-options.js";
import { ServedTools } from "./served-tools.js";

type HttpContext = NonNullable<ServerContext["http"]>;

/** Who makes a request, in the application's view. */
export interface Requester {
  /** The user that sessions and decisions belong to; empty if the caller is unknown. */
  readonly user: string;
  readonly toolContext: Record<string, unknown>;
}

/** One request, with the application's view of it. */
export interface OpenedRequest extends Requester {
  readonly tools: ServedTools;
}

/** What the application gave: who it takes a caller for, and which tools it has for them. The same for every protocol revision. */
export class ServedApplication {
  readonly options: McpServerOptions;
  readonly progress = new ProgressRoutes();
  readonly #owner: string;
  /** Who a request is from is asked once, though a session asks before its tools do. */
  readonly #requesters = new WeakMap<Request, Promise<Requester>>();
  /** What the application named before it passed a request on: others may come while this one is read. */
  readonly #settings = new WeakMap<Request, WithSettings>();
  readonly #executorOptions: Omit<ExecutorOptions, "tools" | "container">;
  /** The last tools that were asked for: a function gives the same ones to most callers. */
  #latest: ServedTools | undefined = undefined;

  /** Throws `ToolDefinitionError` and `TypeError` for authors' mistakes, which never wait for a call. */
  constructor(options: McpServerOptions, owner: string) {
    this.options = options;
    this.#owner = owner;
    if (options.profile !== undefined) checkProfile(options.profile);
    const { listeners = [], maxResultBytes, attempts } = options;
    this.#executorOptions = {
      listeners: [...listeners, this.progress.listener],
      ...(maxResultBytes !== undefined && { maxResultBytes }),
      ...(attempts !== undefined && { attempts }),
    };
    const { tools } = options;
    if (tools === undefined) this.#serve(this.#registered());
    // A class is a function too; a JavaScript caller may pass one in place of a list.
    else if (typeof tools !== "function" || isToolClass(tools)) this.#serve(tools);
  }

  /** To be called when a request comes, before anything is awaited. */
  receive(request: Request): void {
    if (typeof this.options.tools === "function") this.#settings.set(request, keepSettings());
  }

  /** Asks the application about a request. Throws what its functions throw. */
  async open(http: HttpContext = {}): Promise<OpenedRequest> {
    const { tools: source } = this.options;
    if (typeof source !== "function") {
      const { user, toolContext } = await this.identify(http);
      return { user, toolContext, tools: this.#latest as ServedTools };
    }
    const settings = (http.req && this.#settings.get(http.req)) ?? keepSettings();
    const { user, toolContext } = await this.identify(http);
    const classes = await settings(() => source(toolContext));
    return { user, toolContext, tools: settings(() => this.#serve(classes)) };
  }

  /** Who makes a request. Rejects with what `toolContext` throws. */
  identify(http: HttpContext): Promise<Requester> {
    const { req: request } = http;
    if (request === undefined) return this.#identify(http);
    const known = this.#requesters.get(request);
    if (known !== undefined) return known;
    const asked = this.#identify(http);
    this.#requesters.set(request, asked);
    return asked;
  }

  async #identify({ authInfo, req: request }: HttpContext): Promise<Requester> {
    const caller = callerOf(authInfo);
    const toolContext: Record<string, unknown> = contextOf(caller);
    const { toolContext: contextFor } = this.options;
    if (contextFor !== undefined) {
      const asked = { ...(caller !== undefined && { caller }), ...(request !== undefined && { request }) };
      const given = (await contextFor(asked)) ?? {};
      checkRun({ toolContext: given });
      Object.assign(toolContext, given);
    }
    return { user: userOf(toolContext, authInfo), toolContext };
  }

  /** The tool that clients know by that name, if the caller may call it. */
  find({ tools, toolContext }: OpenedRequest, wireName: string): ToolClass | undefined {
    return tools.findFor(wireName, toolContext, this.options.profile);
  }

  /** What the caller may call, as `tools/list` has it. */
  list({ tools, toolContext }: OpenedRequest): Tool[] {
    return tools.listFor(toolContext, this.options.profile);
  }

  scopeOf({ toolContext }: OpenedRequest, abortSignal: AbortSignal): RunScope {
    const { profile } = this.options;
    return startScope(profile === undefined ? { toolContext, abortSignal } : { toolContext, abortSignal, profile });
  }

  report(error: unknown): void {
    if (this.options.onError !== undefined) {
      this.options.onError(error);
      return;
    }
    warnProcess(`The MCP server "${this.options.name}" failed: ${loggedError(error)}`);
  }

  #serve(tools: unknown): ServedTools {
    const classes = openToolList(tools, this.#owner);
    const container = this.options.container ?? currentContainer();
    if (this.#latest?.holds(classes, container) !== true) this.#latest = new ServedTools(classes, container, this.#executorOptions);
    return this.#latest;
  }

  #registered(): McpTools {
    const { registry, profile } = this.options;
    if (registry === undefined) throw new TypeError(`${this.#owner}: say what is served: tools, or a registry.`);
    if (profile?.allowedTools === undefined && profile?.tags === undefined) {
      throw new TypeError(
        `${this.#owner}: a registry serves only what a profile allows. Add profile: { allowedTools: ["billing/*"] }, or ["*"] for all.`,
      );
    }
    return registry.select(profile);
  }
}

/** Only `verify` sees the token itself. */
function contextOf(caller: McpCaller | undefined): Record<string, unknown> {
  if (caller === undefined) return {};
  const { userId, scopes, roles } = caller;
  return {
    auth: caller,
    ...(userId !== undefined && { userId }),
    ...(scopes !== undefined && { scopes }),
    ...(roles !== undefined && { roles }),
  };
}

/** The user's id, or the token if there is none. Empty if there is neither. */
function userOf({ userId }: { readonly userId?: unknown }, authInfo: AuthInfo | undefined): string {
  if (typeof userId === "string" && userId !== "") return `user ${userId}`;
  return authInfo === undefined ? "" : `token ${createHash("sha256").update(authInfo.token).digest("hex")}`;
}
