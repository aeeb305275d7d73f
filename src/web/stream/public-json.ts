import { hideSecrets } from "../../redaction/index.js";

/** JSON for a client, without the values that `addSecret` registered. */
export const publicJson = (value: unknown): string => hideSecrets(JSON.stringify(value));
