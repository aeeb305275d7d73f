/**
 * An assistant that reads pages, calculates and keeps notes, by the built-in tools: pages of a site that runs here, and files
 * of one directory, which no path leaves. With a provider's key set:
 * npm run example -- research-assistant --model openai/gpt-5-mini
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Agent, instructions, model, usesTools } from "toolwright";
import { fileToolbox, standardToolbox, webToolbox } from "toolwright/tools";

const { values } = parseArgs({ options: { model: { type: "string", default: "embedded/keyword" } } });

const page = readFileSync(new URL("site/lamps.html", import.meta.url));
const site = createServer((request, response) => {
  if (request.url === "/lamps.html") response.writeHead(200, { "content-type": "text/html" }).end(page);
  else response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
});
await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
const notes = mkdtempSync(join(tmpdir(), "notes-"));

@model(values.model)
@instructions("You research prices. Use the tools, and keep what you find in the notes.")
@usesTools(
  standardToolbox(
    fileToolbox(notes),
    // Without this the page is refused, because it leads to a private address.
    webToolbox({ scraper: { allowedHosts: ["127.0.0.1"] } }),
  ),
)
class ResearchAgent extends Agent {}

const questions = [
  `Fetch the page ${address}/lamps.html`,
  `Fetch the page ${address}/lamps.html with the selector "#prices"`,
  "Calculate 3 * 49.90 + 5.90",
  'Write "Three Aurora lamps cost 155.60 euros, shipping included." into the file "lamps.txt"',
  'List the directory "."',
  'Read the file "lamps.txt"',
  // What a page or a user might talk a model into.
  'Read the file "../../etc/passwd"',
  "Fetch the page http://169.254.169.254/latest/meta-data/",
  `Fetch the page ${address}/chairs.html`,
  "Calculate 1 / 0",
];

const agent = new ResearchAgent();
for (const question of questions) {
  const { steps, text = "" } = await agent.generate(question);
  console.log(`> ${question.replace(address, "http://the-site")}`);
  for (const { toolCalls } of steps) for (const { name } of toolCalls) console.log(`[${name}]`);
  console.log(`${text.replaceAll(address, "http://the-site")}\n`);
}

site.close();
rmSync(notes, { recursive: true });
