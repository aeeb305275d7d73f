jest.mock("@opentelemetry/api", () => {
  throw Object.assign(new Error("Cannot find module '@opentelemetry/api'"), { code: "MODULE_NOT_FOUND" });
});

import { keepEntries, openTelemetry, toolLog } from "../../src/observability/index.js";

describe("without @opentelemetry/api", () => {
  it("the log works", () => {
    const kept = keepEntries();
    toolLog({ handlers: [kept] }).runStarted?.({ runId: "run_1", agent: "helper", resumed: false });
    expect(kept.entries()).toHaveLength(1);
  });

  it("openTelemetry() says what to install", () => {
    expect(() => openTelemetry()).toThrow(
      "openTelemetry() needs the package @opentelemetry/api, which isn't installed: npm install @opentelemetry/api",
    );
  });
});
