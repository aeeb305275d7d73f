import type { Beside } from "../beside.js";

/** The package yaml, an optional peer. */
export function loadYaml(beside: Beside): unknown {
  try {
    return require("yaml");
  } catch (error) {
    return beside("yaml", error);
  }
}
