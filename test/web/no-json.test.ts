import { createTool } from "../../src/tool/index.js";
import { doors } from "../doors/doors.js";

const ScanTool = createTool({
  name: "scan",
  description: "Scans a page.",
  inputSchema: { type: "object" },
  execute: () => ({ pages: [Buffer.from("hidden")] }),
});

describe("bytes in a result are an error that the model reads, instead of base64 text", () => {
  it.each(doors)("through $name", async (door) => {
    const told = JSON.stringify(await door.run([ScanTool], [{ tool: ScanTool, arguments: {} }]));
    expect(told).toContain("Tool 'scan' returned a Buffer of 6 bytes at pages[0], which has no form in JSON.");
  });
});
