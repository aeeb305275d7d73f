import type * as toolwright from "../../../src/index.js";
import type * as http from "../../../src/http/index.js";
import type * as langChain from "../../../src/adapters/langchain/index.js";
import type * as mcp from "../../../src/mcp/index.js";
import type * as web from "../../../src/web/index.js";
import type * as observability from "../../../src/observability/index.js";
import type * as specification from "../../../src/specification/index.js";
import type * as gram from "../../../src/specification/gram/index.js";
import type * as evaluation from "../../../src/evaluation/index.js";
import type * as testing from "../../../src/testing/index.js";
import { modelErrors, optionErrors, testingErrors } from "./around.js";
import { callingErrors, errorTypes } from "./calling.js";
import { definingErrors } from "./defining.js";
import type { ErrorsOf, Examples } from "./example.js";
import { gramErrors } from "./gram.js";
import { httpErrors } from "./http.js";
import { mcpErrors } from "./mcp-client.js";
import { resumingErrors } from "./resuming.js";
import { outcomes, runningErrors } from "./running.js";
import { specificationErrors } from "./specifications.js";
import { runtimeErrors } from "./runtimes.js";
import { storageErrors } from "./storage.js";
import { warnings } from "./warnings.js";
import { webErrors } from "./web.js";

/** An error class without an example doesn't compile here: write one, and its row in docs/errors.md. */
const errors: Examples<
  | ErrorsOf<typeof toolwright>
  | ErrorsOf<typeof http>
  | ErrorsOf<typeof observability>
  | ErrorsOf<typeof specification>
  | ErrorsOf<typeof evaluation>
  | ErrorsOf<typeof testing>
  | ErrorsOf<typeof web>
  | ErrorsOf<typeof langChain>
  | ErrorsOf<typeof mcp>
  | ErrorsOf<typeof gram>
> = {
  ...definingErrors,
  ...gramErrors,
  ...specificationErrors,
  ...callingErrors,
  ...httpErrors,
  ...runningErrors,
  ...resumingErrors,
  ...storageErrors,
  ...runtimeErrors,
  ...modelErrors,
  ...testingErrors,
  ...webErrors,
  ...mcpErrors,
};

export const examples: Examples<string> = { ...errors, ...errorTypes, ...outcomes, ...warnings, ...optionErrors };
