import type { Beside } from "../beside.js";

/** The package @opentelemetry/api, an optional peer. */
export function loadOpenTelemetryApi(beside: Beside): unknown {
  try {
    return require("@opentelemetry/api");
  } catch (error) {
    return beside("@opentelemetry/api", error);
  }
}
