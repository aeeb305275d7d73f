import type { DecisionClaims } from "../../storage/index.js";
import type { GenerateOptions } from "../../agent/index.js";
import type { ExecutionProfile, ExecutorOptions } from "../../execution/index.js";
import type { ToolRegistry } from "../../registry/index.js";
import type { Toolbox, ToolClass } from "../../tool/index.js";

/** Who calls, as `verify` made it out from a token. It becomes `context.auth`; the named members also become members of the context. */
export interface McpCaller {
  readonly userId?: string;
  /** What `@requires({ scopes })` asks for. */
  readonly scopes?: readonly string[];
  /** What `@requires({ roles })` asks for. */
  readonly roles?: readonly string[];
  /** Seconds since 1970: afterwards the token is refused. */
  readonly expiresAt?: number;
  readonly [claim: string]: unknown;
}

/** The request that a context is made for. */
export interface McpRequest {
  /** What `verify` gave; absent where there is no `verify`, and on stdio. */
  readonly caller?: McpCaller;
  /** The HTTP request (`nodeRequestOf` of `toolwright/web` gives Node's, with what middleware put there); absent on stdio. */
  readonly request?: Request;
}

/** The application's own bag, as `generate` takes it. */
export type McpToolContext = NonNullable<GenerateOptions["toolContext"]>;

export type McpTools = Toolbox | readonly (ToolClass | Toolbox)[];

/** Which tools are served: a list, or one for each caller; or what the profile allows of a registry. */
export type McpToolSource =
  | { readonly tools: McpTools | ((context: McpToolContext) => McpTools | Promise<McpTools>); readonly registry?: never }
  | { readonly registry: ToolRegistry; readonly tools?: never };

/** What a server says of itself and serves, whatever it is reached by. */
export type McpServerOptions = McpToolSource &
  Omit<ExecutorOptions, "tools"> & {
    readonly name: string;
    readonly version: string;
    /** What the client's model is told of the server as a whole. */
    readonly instructions?: string;
    /** Narrows what may be listed and called. A registry serves nothing without `allowedTools` or `tags`. */
    readonly profile?: ExecutionProfile;
    /** Makes the context of a request. Who the user is must come from `caller`, or from a session that the application checked. */
    readonly toolContext?: (request: McpRequest) => McpToolContext | Promise<McpToolContext>;
    /** Signs what a client keeps while a person decides: at least 32 bytes, the same for all processes of a server. Default: one for this process. */
    readonly stateSecret?: string;
    /** Where used decisions are remembered: in this process, unless several share one. */
    readonly claims?: DecisionClaims;
    /** Hears of errors of the application's own functions, of which the client is told nothing. Left out: they are process warnings. */
    readonly onError?: (error: unknown) => void;
  };

/** Who may reach a server over HTTP. */
export interface McpAccess {
  /**
   * Makes out who a bearer token belongs to; `undefined` refuses it. It must check that the token was issued for this server.
   * Without it, everybody who reaches the server may call.
   */
  readonly verify?: (token: string) => McpCaller | undefined | Promise<McpCaller | undefined>;
  /** The URL of the server's protected resource metadata (RFC 9728), of which refused clients are told. */
  readonly resourceMetadataUrl?: string;
  /** The names, without ports, that the server is addressed by. Default: those of the loopback. */
  readonly allowedHosts?: readonly string[];
  /** The sites whose pages aren't refused: names, or whole origins, of which the name counts. CORS is yours. Default: those of the loopback. */
  readonly allowedOrigins?: readonly string[];
}
