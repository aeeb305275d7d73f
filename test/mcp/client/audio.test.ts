import { Agent, createTool, model, usesTools } from "../../../src/index.js";
import type { McpToolbox } from "../../../src/mcp/index.js";
import { ScriptedModel } from "../../../src/models/index.js";
import { closeAll, connect, revisions, textOf } from "../server/support.js";
import { endAll, hostile, open } from "./support.js";

let box: McpToolbox;
beforeAll(async () => {
  box = await open(hostile("calls"));
});
afterEach(closeAll);
afterAll(endAll);

const base64 = Buffer.from("RIFFnoise").toString("base64");
const long = Buffer.from("RIFFnoise".repeat(100)).toString("base64");
const recording = { type: "audio", mimeType: "audio/wav", bytes: 9 };

/** What the model reads of a call of the tool. */
async function readByModel(name: string): Promise<string> {
  const script = new ScriptedModel([{ toolCalls: [{ name, arguments: {} }] }, "Done."]);
  @model(script)
  @usesTools(box.tools)
  class ListeningAgent extends Agent {}
  await new ListeningAgent().generate("Listen.");
  return script.requests[1]?.messages.at(-1)?.content as string;
}

describe("a model reads of an MCP tool's", () => {
  it.each([
    ["audio beside a text", "box_recorded", [{ type: "text", text: "The call:" }, recording]],
    ["audio alone", "box_recorded_alone", [recording]],
    ["embedded resource with bytes", "box_attached", [{ type: "resource", uri: "memo://voice", mimeType: "audio/ogg", bytes: 4 }]],
  ])("%s the type and the size, and no base64", async (_, name, parts) => {
    const read = await readByModel(name);
    expect(JSON.parse(read)).toEqual(parts);
    expect(read).not.toContain(base64);
  });

  it("broken audio a note in its place", async () => {
    expect(await readByModel("box_broken_audio")).toBe('[Left out: a part of the kind "audio" that can\'t be read, 40 characters long.]');
  });
});

describe.each(revisions)("an MCP server that serves tools with audio, in %s", (revision) => {
  it("passes on the type and the size of another server's audio", async () => {
    const { client } = await connect({ tools: box.tools }, revision);
    const { content, isError } = await client.callTool({ name: "box_recorded", arguments: {} });
    expect(isError).not.toBe(true);
    expect(content).toEqual([{ type: "text", text: JSON.stringify([{ type: "text", text: "The call:" }, recording]) }]);
  });

  it.each([
    ["a Buffer", Buffer.from("RIFFnoise")],
    ["a Blob", new Blob(["RIFFnoise"], { type: "audio/wav" })],
    ["a part of a message", { type: "file", mediaType: "audio/wav", data: long }],
    ["a part of MCP", { type: "audio", mimeType: "audio/wav", data: long }],
    ["an embedded resource of MCP", { type: "resource", resource: { uri: "memo://voice", mimeType: "audio/wav", blob: long } }],
  ])("fails a tool that returns %s, without its bytes", async (_, value) => {
    const record = createTool({ name: "record", description: "Records.", inputSchema: { type: "object" }, execute: () => value });
    const { client } = await connect({ tools: [record] }, revision);
    const result = await client.callTool({ name: "record", arguments: {} });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain(base64);
    expect(textOf(result)).toMatch(/record/);
  });
});
