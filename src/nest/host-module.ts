import type { InjectionToken } from "@nestjs/common";
import { ModuleRef, type ModulesContainer } from "@nestjs/core";
import { ToolDefinitionError } from "../tool/index.js";

/** A module of Nest as its container holds it: with what it imports, provides and exports. */
export type Module = ModulesContainer extends Map<string, infer Value> ? Value : never;

/** The module that imports a `forFeature`: its services are what tools and agents are made with. */
export class HostModule {
  readonly #module: Module;

  /** `token`: the one provider that no other `forFeature` has. Throws if several modules import the same one. */
  constructor(modules: ModulesContainer, token: symbol) {
    const all = [...modules.values()];
    const own = all.filter(({ providers }) => providers.has(token));
    const [host, ...others] = all.filter(({ imports }) => own.some((feature) => imports.has(feature)));
    if (others.length > 0) {
      const names = [host, ...others].map((module) => module?.name).join(" and ");
      throw new ToolDefinitionError(
        `ToolwrightModule.forFeature: ${names} import the same one, so that it isn't clear whose services its tools get. ` +
          "Call forFeature in each, or import it in one that exports it: exports: [ToolwrightModule].",
      );
    }
    // If no module imports it, it is the application's first module itself: Nest has asked it for the provider.
    this.#module = host ?? (own[0] as Module);
  }

  get name(): string {
    return this.#module.name;
  }

  is(other: HostModule): boolean {
    return other.#module === this.#module;
  }

  get reference(): ModuleRef {
    // Every module has one.
    return this.#module.providers.get(ModuleRef)?.instance as ModuleRef;
  }

  /** Whether the module sees the provider: its own, or one that it imports. */
  sees(token: InjectionToken): boolean {
    return this.#module.providers.has(token) || isImported(token, this.#module.imports, new Set());
  }
}

/** As Nest looks: an imported module gives what it provides and exports, and what those that it exports give. */
function isImported(token: InjectionToken, imports: Iterable<Module>, seen: Set<Module>): boolean {
  for (const imported of imports) {
    if (seen.has(imported)) continue;
    seen.add(imported);
    if (imported.providers.has(token) && imported.exports.has(token)) return true;
    const exported = [...imported.imports].filter(({ metatype }) => imported.exports.has(metatype));
    if (isImported(token, exported, seen)) return true;
  }
  return false;
}
