import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { filePart, imagePart, messageText } from "../../src/models/index.js";

/** A PNG of one pixel. */
const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const pdf = Buffer.from("%PDF-1.7\n");

let folder: string;
const write = async (name: string, bytes: Uint8Array | string) => {
  await writeFile(join(folder, name), bytes);
  return join(folder, name);
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "content-part-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("imagePart", () => {
  it("reads a path, a file: URL or bytes, and looks into them for the media type", async () => {
    const image = { type: "image", mediaType: "image/png", data: png.toString("base64") };
    const path = await write("pixel.png", png);

    expect(await imagePart(path)).toEqual(image);
    expect(await imagePart(pathToFileURL(path))).toEqual(image);
    expect(await imagePart(png)).toEqual(image);
    expect(await imagePart(new Uint8Array(Buffer.concat([Buffer.from("xx"), png])).subarray(2))).toEqual(image);
  });

  it.each([
    ["image/png", "\x89PNG\r\n\x1a\n"],
    ["image/jpeg", "\xff\xd8\xff\xe0"],
    ["image/gif", "GIF89a"],
    ["image/webp", "RIFF\x1a\n\0\0WEBPVP8 "],
  ])("knows %s by its first bytes, whatever the name says", async (mediaType, start) => {
    const path = await write("photo.jpg", Buffer.from(start, "latin1"));

    expect(await imagePart(path)).toMatchObject({ mediaType });
  });

  it("leaves an https: URL to the provider, with the media type of its extension or none in particular", async () => {
    expect(await imagePart("https://example.com/a/photo.JPG?width=100")).toEqual({
      type: "image",
      mediaType: "image/jpeg",
      url: "https://example.com/a/photo.JPG?width=100",
    });
    expect(await imagePart(new URL("https://example.com/photo/7"))).toMatchObject({ mediaType: "image/*" });
  });

  it("takes a data: URL apart", async () => {
    expect(await imagePart(`data:image/png;base64,${png.toString("base64")}`)).toEqual({
      type: "image",
      mediaType: "image/png",
      data: png.toString("base64"),
    });
  });

  it("refuses what is no image, and what it doesn't know, and says what to do", async () => {
    await expect(imagePart(pdf)).rejects.toThrow("imagePart: what was given is application/pdf, no image. Use filePart for it.");
    await expect(imagePart(await write("photo.heic", "ftypheic"))).rejects.toThrow(
      'imagePart: photo.heic is of no known media type. Known are .png .jpg .jpeg .gif .webp .pdf .txt .csv .html .md .json; for others say it: imagePart(source, { mediaType: "..." }).',
    );
    await expect(imagePart("ftp://example.com/a.png")).rejects.toThrow("not with ftp:");
    await expect(imagePart("data:image/png")).rejects.toThrow("no comma");
  });

  it("takes the media type that the caller gives", async () => {
    expect(await imagePart(Buffer.from("ftypheic"), { mediaType: "image/heic" })).toMatchObject({ mediaType: "image/heic" });
  });

  it("says what the file system says of a path that can't be read", async () => {
    await expect(imagePart(join(folder, "absent.png"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("filePart", () => {
  it.each([
    ["report.pdf", pdf, "application/pdf"],
    ["notes.txt", "Grüße", "text/plain"],
    ["rows.csv", "a,b", "text/csv"],
    ["page.html", "<p>", "text/html"],
    ["README.md", "# Hi", "text/markdown"],
    ["data.json", "{}", "application/json"],
  ])("reads %s with its name and media type", async (name, content, mediaType) => {
    expect(await filePart(await write(name, content))).toEqual({
      type: "file",
      mediaType,
      filename: name,
      data: Buffer.from(content).toString("base64"),
    });
  });

  it("takes a name from the caller, and has none for bytes and URLs", async () => {
    expect(await filePart(pdf, { filename: "report.pdf" })).toMatchObject({ filename: "report.pdf" });
    expect(await filePart("https://example.com/report.pdf")).toEqual({
      type: "file",
      mediaType: "application/pdf",
      url: "https://example.com/report.pdf",
    });
  });

  it("reads a data: URL without base64 and without a type as text", async () => {
    expect(await filePart("data:,a%2Cb")).toMatchObject({ mediaType: "text/plain", data: Buffer.from("a,b").toString("base64") });
  });

  it("makes plain JSON, so that a conversation with files can be stored", async () => {
    const part = await filePart(pdf);

    expect(JSON.parse(JSON.stringify(part))).toEqual(part);
  });
});

describe("messageText", () => {
  it("is the text of a message, without its images and files", async () => {
    expect(messageText("Hi")).toBe("Hi");
    expect(messageText([{ type: "text", text: "What is" }, await imagePart(png), { type: "text", text: "this?" }])).toBe("What is\nthis?");
  });
});
