import { providerNames } from "./ai-sdk/provider-packages.js";

/** Beginnings of references that `resolveModel` takes, and those that are complete. */
export const modelBeginnings: readonly string[] = ["embedded/keyword", ...[...providerNames, "ollama"].map((name) => `${name}/`)];
