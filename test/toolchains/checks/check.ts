import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { ToolDefinitionError } from "toolwright";

/** One promise of the library, tried in one toolchain. */
export interface Check {
  readonly title: string;
  /** Gives nothing where the promise is kept, the text of the error where it is refused clearly, and throws on anything else. */
  readonly run: () => string | undefined | Promise<string | undefined>;
}

/** Tries every check and leaves the outcomes in `outcomes.jsonl` of the working directory, where scripts/toolchains.mjs reads them. */
export async function runChecks(checks: readonly Check[]): Promise<void> {
  for (const { title, run } of checks) {
    const outcome = await Promise.resolve()
      .then(run)
      .then(
        (refused) => ({ title, refused }),
        (error: unknown) => ({ title, failed: error instanceof Error ? String(error.stack) : String(error) }),
      );
    appendFileSync("outcomes.jsonl", `${JSON.stringify(outcome)}\n`);
  }
}

/** Does `act`; gives the message of the `ToolDefinitionError` that it threw, if it threw one and the message holds every `part`. */
export async function refusalOf(act: () => unknown, ...parts: string[]): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ToolDefinitionError, `not a ToolDefinitionError: ${error instanceof Error ? error.stack : error}`);
    for (const part of parts) assert.ok(error.message.includes(part), `${error.message}\ndoes not say: ${part}`);
    return error.message;
  }
}
