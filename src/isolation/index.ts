import { setRunElsewhere } from "../execution/internal.js";

// All else of this room is loaded by the first call of an isolated tool.
setRunElsewhere(async () => (await import("./near/run-isolated.js")).runIsolated);
