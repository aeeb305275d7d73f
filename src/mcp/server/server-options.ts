import type { DecisionClaims } from "../../storage/index.js";
import type { GenerateOptions } from "../../agent/index.js";
import type { ExecutionProfile, ExecutorOptions } from "../../execution/index.js";
import type { ToolRegistry } from "../../registry/index.js";
import type { Toolbox, ToolClass } from "../../tool/index.js";

/**
 * The caller of a request, returned by `verify`. It becomes `context.auth`; `userId`, `scopes` and `roles` also become members of
 * the context.
 */
export interface McpCaller {
  /** The authenticated user. */
  readonly userId?: string;
  /** The scopes that `@access({ scopes })` checks. */
  readonly scopes?: readonly string[];
  /** The roles that `@access({ roles })` checks. */
  readonly roles?: readonly string[];
  /** When the token expires, in seconds since 1970. After that it is rejected. */
  readonly expiresAt?: number;
  readonly [claim: string]: unknown;
}

/** The request that `toolContext` makes a context for. */
export interface McpRequest {
  /** The result of `verify`; absent without `verify`, and over stdio. */
  readonly caller?: McpCaller;
  /**
   * The HTTP request; absent over stdio. `nodeRequestOf` of `toolwright/web` returns Node's request, with what middleware added to
   * it.
   */
  readonly request?: Request;
}

/** The application's `toolContext`, as `generate` takes it. */
export type McpToolContext = NonNullable<GenerateOptions["toolContext"]>;

/** The tools to serve: tool classes and toolboxes. */
export type McpTools = Toolbox | readonly (ToolClass | Toolbox)[];

/** What to serve: `tools`, as a list or a function of the context, or a `registry` restricted by `profile`. */
export type McpToolSource =
  | {
      /** Tool classes and toolboxes, or a function of the context that returns them. */
      readonly tools: McpTools | ((context: McpToolContext) => McpTools | Promise<McpTools>);
      readonly registry?: never;
    }
  | {
      /** A registry; `profile` chooses its tools. */
      readonly registry: ToolRegistry;
      readonly tools?: never;
    };

/** Options of `serveMcp` and `mcpHandler` for every transport. See docs/12-mcp.md. */
export type McpServerOptions = McpToolSource &
  Omit<ExecutorOptions, "tools"> & {
    /** The name of the server, sent to clients. */
    readonly name: string;
    /** The version of the server, sent to clients. */
    readonly version: string;
    /** A description of the server as a whole for the client's model. */
    readonly instructions?: string;
    /**
     * Restricts the tools that clients can list and call. A registry needs `allowedTools` or `tags`; without them it serves
     * nothing.
     */
    readonly profile?: ExecutionProfile;
    /** Returns the context of a request. Take the user from `caller`, or from a session that your application verified. */
    readonly toolContext?: (request: McpRequest) => McpToolContext | Promise<McpToolContext>;
    /**
     * Signs the state that a client keeps while a person decides: at least 32 bytes, the same in all processes of the server.
     * Default: random, for this process.
     */
    readonly stateSecret?: string;
    /**
     * The record of used decisions, so that none is used twice. Default: in this process. Share one if the server has several
     * processes.
     */
    readonly claims?: DecisionClaims;
    /** Receives errors of your own functions. The client gets no details of them. Default: a process warning. */
    readonly onError?: (error: unknown) => void;
  };

/** Who may reach an MCP server over HTTP. See docs/12-mcp.md. */
export interface McpAccess {
  /**
   * Returns the caller that a bearer token belongs to, or `undefined` to reject it. It must check that the token was issued for
   * this server. Without `verify`, everyone who can reach the server may call its tools.
   */
  readonly verify?: (token: string) => McpCaller | undefined | Promise<McpCaller | undefined>;
  /** The URL of the server's protected resource metadata (RFC 9728), sent to clients that are rejected. */
  readonly resourceMetadataUrl?: string;
  /** The host names, without ports, that requests may be addressed to. Default: those of the loopback address. */
  readonly allowedHosts?: readonly string[];
  /**
   * The sites whose pages may send requests: host names or origins (only the name counts). Set CORS headers yourself. Default:
   * those of the loopback address.
   */
  readonly allowedOrigins?: readonly string[];
}
