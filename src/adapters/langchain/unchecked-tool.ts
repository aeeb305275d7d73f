import { DynamicStructuredTool } from "@langchain/core/tools";

/**
 * A tool whose arguments LangChain doesn't check: it would refuse a call without saying what is wrong with it, and know no
 * repairs. What it checks by is the schema of the object whose `call` runs: there that of a view, which takes everything.
 */
export class UncheckedTool extends DynamicStructuredTool {
  readonly #view: unknown = Object.create(this, { schema: { value: {} } });

  override call: DynamicStructuredTool["call"] = (...parameters) => Reflect.apply(super.call, this.#view, parameters);
}
