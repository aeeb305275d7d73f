import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import { rootedAt } from "../../src/tools/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { gif, jpeg, pdf, png, webp } from "../support/pictures.js";
import { type FilesFixture, filesFixture } from "./files-fixture.js";

let fixture: FilesFixture;
beforeEach(() => (fixture = filesFixture()));
afterEach(() => fixture.remove());

const write = (name: string, content: Buffer | string) => writeFileSync(join(fixture.root, name), content);
const read = (path: string) =>
  new ToolExecutor({ tools: [rootedAt(fixture.root).ReadFileTool] }).call(
    { id: "call_1", name: "read_file", arguments: { path } },
    createRunScope(),
  );

describe("read_file", () => {
  it.each([
    ["image/png", "a.png", png()],
    ["image/jpeg", "b.jpg", jpeg()],
    ["image/gif", "c.gif", gif()],
    ["image/webp", "d.webp", webp()],
    // By its bytes: a name may be wrong.
    ["image/png", "no-extension", png()],
  ])("shows the model an %s file", async (mediaType, name, bytes) => {
    write(name, bytes);
    const result = await read(name);

    expect(result.data).toEqual({ content: "The file is attached to this result.", size: bytes.length });
    expect(result.attachments).toEqual([{ type: "image", mediaType, data: bytes.toString("base64") }]);
    expect(modelText(result)).toContain(`\n[${mediaType}, ${bytes.length} bytes]`);
  });

  it("shows the model a PDF with its name", async () => {
    write("report.pdf", pdf());

    expect((await read("report.pdf")).attachments).toMatchObject([{ mediaType: "application/pdf", filename: "report.pdf" }]);
  });

  it("gives code the same data as for a text", async () => {
    write("a.png", png());

    expect(await invokeTool(rootedAt(fixture.root).ReadFileTool, { path: "a.png" })).toEqual({
      content: "The file is attached to this result.",
      size: png().length,
    });
  });

  it("says why a damaged image can't be shown", async () => {
    write("a.png", png().subarray(0, 60));

    expect((await read("a.png")).error).toContain("[a.png: image/png, 60 bytes] is damaged or incomplete.");
  });

  it("reads a text that begins like a file of another type", async () => {
    write("notes.txt", "%PDF-1.7 is the first line of a PDF.");

    expect((await read("notes.txt")).data).toMatchObject({ content: "%PDF-1.7 is the first line of a PDF." });
  });
});
