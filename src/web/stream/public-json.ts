import { hideSecrets } from "../../redaction/index.js";

/** What goes to a client, as JSON: without the values that `addSecret` made known, whoever said them. */
export const publicJson = (value: unknown): string => hideSecrets(JSON.stringify(value));
