import { beside, loadOpenTelemetryApi } from "../../platform/index.js";

/** The package is an optional peer: only its types are imported, which leave nothing behind in the code. */
type Api = typeof import("@opentelemetry/api");

/** Throws if the package isn't installed, with the line that installs it. */
export function loadApi(): Api {
  const api = loadOpenTelemetryApi(beside) as Api | undefined;
  // Some bundlers put an empty module in the place of a missing package.
  if (api?.trace !== undefined) return api;
  throw new Error("openTelemetry() needs the package @opentelemetry/api, which isn't installed: npm install @opentelemetry/api");
}
