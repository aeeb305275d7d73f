import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openApiToolbox } from "../../src/http/openapi/index.js";
import { secret } from "../../src/http/secret.js";
import { validateToolInput } from "../../src/execution/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { describeData, readJson } from "../support/data.js";
import { checkDocument, type DocumentReport } from "../support/openapi/check-document.js";
import type { Json } from "../support/openapi/document-view.js";

describeData(["openapi"], (folder) => {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));

  describe.each(files)("%s", (file) => {
    const document = readJson<Json>(join(folder, file));
    let report: DocumentReport;
    // Documents of hundreds of operations are compiled whole.
    beforeAll(async () => {
      if (document.openapi !== undefined || document.swagger !== undefined) {
        report = await checkDocument(document, { openApiToolbox, secret, validateToolInput, invokeTool });
      }
    }, 120_000);
    if (document.openapi === undefined && document.swagger === undefined) {
      it("is no OpenAPI document, and is refused as such", () => {
        expect(() => openApiToolbox(document)).toThrow("isn't an OpenAPI document");
      });
      return;
    }

    it("becomes a tool of each operation, or says why not", () => {
      if (report.error !== undefined) expect(report.error).toMatch(/^openApiToolbox: .{20}/s);
      else expect(report.tools + report.refused.length).toBe(report.operations);
      for (const { operation, reason } of report.refused) expect(`${operation}: ${reason}`).toMatch(/^\S+ \/.*: .{20}/s);
    });

    it("has schemas that compile, and a call of each kind sends what the document says", () => {
      expect(report.problems).toEqual([]);
    });
  });
});
