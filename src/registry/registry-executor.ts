import { type CallOptions, type ExecutionProfile, type ExecutorOptions, ToolExecutor } from "../execution/index.js";
import { isInProfile } from "../execution/internal.js";
import { ToolAuthorizationError, type ToolCallInput, type ToolCallOutput, type ToolClass, ToolNotFoundError } from "../tool/index.js";
import type { ToolRegistry } from "./tool-registry.js";

/** Calls the tools of a registry that a profile allows. Made by `registry.executor(profile)`. See docs/09-registries.md. */
export class RegistryExecutor {
  readonly #registry: ToolRegistry;
  readonly #profile: ExecutionProfile;
  readonly #executor: ToolExecutor;

  /** @internal `allowed`: the tools of the registry that the profile allows. */
  constructor(registry: ToolRegistry, allowed: readonly ToolClass[], profile: ExecutionProfile, options: Omit<ExecutorOptions, "tools">) {
    this.#registry = registry;
    this.#profile = profile;
    this.#executor = new ToolExecutor({ ...options, tools: allowed });
  }

  /**
   * Calls a tool by its name and returns its data, not shortened. Permission, input and output are checked.
   *
   * ```ts
   * const executor = registry.executor({ allowedTools: ["billing/*"] });
   * await executor.run("billing/refund", { order: "A-17" }, { toolContext: { userId: "42" } });
   * await executor.run(RefundTool, { order: "A-17" }); // typed input and data
   * ```
   *
   * Calls that the tool makes inherit the profile.
   *
   * Throws `ToolNotFoundError`, `ToolAuthorizationError` (the profile or `@access` doesn't allow it), `ToolInputValidationError`,
   * `ToolOutputValidationError`, `ToolTimeoutError` or `ToolExecutionError`. Throws `ToolInterrupt` if the call needs confirmation;
   * pass `{ decided: true }` after a person approved exactly this call.
   */
  run(name: string, input: unknown, options?: Omit<CallOptions, "profile">): Promise<unknown>;
  /**
   * Calls a tool by its class, with typed input and data. If the class has several full names, the first one that the profile
   * allows is used.
   *
   * Throws like the call by name.
   */
  run<Type extends ToolClass>(
    tool: Type,
    input: ToolCallInput<Type>,
    options?: Omit<CallOptions, "profile">,
  ): Promise<ToolCallOutput<Type>>;
  async run(tool: string | ToolClass, input: unknown, options?: Omit<CallOptions, "profile">): Promise<unknown> {
    const name = typeof tool === "function" ? this.#nameOf(tool) : tool;
    const fullName = this.#registry.fullName(name);
    try {
      return await this.#executor.run(fullName ?? name, input, { ...options, profile: this.#profile });
    } catch (error) {
      // There, a forbidden tool looks like an unknown one. This caller may see the difference; its listeners already have the call.
      if (!(error instanceof ToolNotFoundError)) throw error;
      throw fullName === undefined ? this.#registry.notFound(name) : this.#denied(fullName);
    }
  }

  /** A class may have several names, and a profile may allow one of them alone. */
  #nameOf(tool: ToolClass): string {
    const names = this.#registry.namesOf(tool);
    const name = names.find((fullName) => isInProfile(this.#registry.tool(fullName).definition, this.#profile)) ?? names[0];
    if (name !== undefined) return name;
    const hint = `${tool.name} isn't one of its tools. Add it: createWorkspace().addTool(${tool.name}).`;
    throw new ToolNotFoundError(tool.definition.name, `Tool not found in registry: ${tool.definition.name}. ${hint}`);
  }

  #denied(fullName: string): ToolAuthorizationError {
    return new ToolAuthorizationError(
      fullName,
      hasAllowList(this.#profile)
        ? `Permission denied for tool: ${fullName}`
        : "Permission denied: No tools allowed in current context. Give registry.executor a profile with allowedTools or tags.",
    );
  }
}

/** Whether a profile names what it allows. Categories alone would only narrow it. */
export const hasAllowList = ({ allowedTools, tags }: ExecutionProfile): boolean => allowedTools !== undefined || tags !== undefined;
