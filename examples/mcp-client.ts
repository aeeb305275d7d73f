/**
 * An agent with the tools of an MCP server: the public file server, started here on a directory of its own. The application
 * chooses the tools, and says what it can't trust the server to say: writing is confirmed. The definitions are pinned in a file.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Agent, approve, instructions, model, openConfirmations, usesTools } from "toolwright";
import { mcpToolbox } from "toolwright/mcp";

const directory = mkdtempSync(join(tmpdir(), "notes-"));
writeFileSync(join(directory, "lamp.txt"), "The lamp is blue.");
const server = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/package.json")),
  "dist/index.js",
);

// Elsewhere: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", directory] }
const files = await mcpToolbox(
  { command: process.execPath, args: [server, "."], cwd: directory },
  {
    prefix: "files",
    pin: join(directory, "files.mcp.json"),
    settings: ({ name }) => (name.startsWith("read_") ? { category: "read" } : { requiresConfirmation: true }),
  },
);
console.log(`${files.tools.length} tools, ${files.refused.length} refused, ${files.changed.length} changed`);

@model("embedded/keyword")
@instructions("You keep notes in files.")
@usesTools(files.tools.filter(({ identifier }) => ["files_read_text_file", "files_write_file"].includes(identifier)))
class NotesAgent extends Agent {}

const read = await NotesAgent.generate('Please read the text file with the path "lamp.txt".');
for (const { name, arguments: input, content } of read.steps[0]?.toolCalls ?? []) console.log(name, input, content);

const writer = new NotesAgent();
const paused = await writer.generate('Please write the file with the path "chair.txt" and the content "The chair is red."');
if (paused.state !== undefined) {
  for (const { tool, input } of openConfirmations(paused.state)) console.log("to be confirmed:", tool, input);
  await writer.resume(paused.state, { decisions: openConfirmations(paused.state).map((confirmation) => approve(confirmation)) });
}
console.log(readFileSync(join(directory, "chair.txt"), "utf8"));

await files.close();
rmSync(directory, { recursive: true });
