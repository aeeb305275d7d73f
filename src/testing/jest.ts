/**
 * `import "toolwright/testing/jest"` teaches `expect` what `ToolMatchers` lists: in a test file, or once for all of them
 * in `setupFilesAfterEnv`. It works wherever the test runner's `expect` is global, which Vitest calls `globals: true`.
 */
import { type ToolMatchers, toolMatchers } from "./matchers/tool-matchers.js";

declare global {
  namespace jest {
    interface Matchers<R> extends ToolMatchers<R> {}
  }
}

// biome-ignore lint/suspicious/noTsIgnore: an error only if the module isn't installed, and then nothing is lost
/** @ts-ignore: `@jest/globals` takes its matchers from this module; users of `@types/jest` need not have it. */
declare module "expect" {
  interface Matchers<R> extends ToolMatchers<R> {}
}

const { expect } = globalThis as { readonly expect?: { extend(matchers: typeof toolMatchers): void } };
if (expect === undefined) {
  throw new Error(
    "toolwright/testing/jest: there is no global `expect` to extend. If you import it instead, write " +
      '`import { toolMatchers } from "toolwright/testing"; expect.extend(toolMatchers);`.',
  );
}
expect.extend(toolMatchers);
