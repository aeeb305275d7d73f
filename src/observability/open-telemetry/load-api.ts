/** The package is an optional peer: only its types are imported, which leave nothing behind in the code. */
type Api = typeof import("@opentelemetry/api");

/** Throws if the package isn't installed, with the line that installs it. */
export function loadApi(): Api {
  try {
    // A plain `require`, so that bundlers see it. What stands for it in ES modules, scripts/build.mjs says.
    return require("@opentelemetry/api") as Api;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new Error("openTelemetry() needs the package @opentelemetry/api, which isn't installed: npm install @opentelemetry/api", {
      cause: error,
    });
  }
}
