/**
 * Kills an evaluation at 40 % and starts it again: no request whose answer it had is sent a second time. A part of `npm run evaluation`.
 *
 * This process is the provider, a child evaluates.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, createTool, model, usesTools } from "toolwright";
import { evaluate } from "toolwright/evaluation";

const count = 100;

if (process.argv[2] === undefined) await interrupt();
else await evaluateAt(...process.argv.slice(2));

async function evaluateAt(url, answers) {
  class EchoAgent extends Agent {}
  model(url)(EchoAgent);
  usesTools([createTool("echo", "Echoes. Use when asked.", { type: "object" }, () => null)])(EchoAgent);
  const cases = Array.from({ length: count }, (_, index) => ({
    id: `case ${index}`,
    prompt: `Prompt ${index}.`,
    expect: { text: "Hello" },
  }));
  const onProgress = ({ result }) => process.stdout.write(`${result.id.replace("case", "Prompt")}.\n`);
  const { summary } = await evaluate({ agent: EchoAgent, cases, answers, onProgress });
  process.exitCode = summary.passed.share === 1 ? 0 : 1;
}

async function interrupt() {
  const asked = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    asked.push(JSON.parse(Buffer.concat(chunks)).messages.at(-1).content);
    setTimeout(() => {
      response.setHeader("content-type", "application/json");
      const message = { role: "assistant", content: "Hello." };
      response.end(JSON.stringify({ id: "1", choices: [{ index: 0, message, finish_reason: "stop" }], usage: {} }));
    }, 10);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const answers = mkdtempSync(join(tmpdir(), "toolwright-evaluation-"));
  const url = `http://127.0.0.1:${server.address().port}/v1#stand-in`;
  const start = (onLine) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [fileURLToPath(import.meta.url), url, answers], { stdio: ["ignore", "pipe", "inherit"] });
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (piece) => {
        text += piece;
        onLine?.(text.split("\n").slice(0, -1), child);
      });
      child.on("close", (code, signal) => resolve({ lines: text.split("\n").slice(0, -1), code, signal }));
    });
  try {
    const first = await start((lines, child) => lines.length >= 0.4 * count && child.kill("SIGKILL"));
    const before = [...asked];
    const second = await start();
    const again = asked.slice(before.length);
    const repeated = first.lines.filter((prompt) => again.includes(prompt));
    console.log(
      `Killed after ${first.lines.length} of ${count} cases (${first.signal}), ${before.length} requests. Started again: ${again.length} requests, ${repeated.length} of them answered before.`,
    );
    const isRight = first.signal === "SIGKILL" && second.code === 0 && second.lines.length === count && repeated.length === 0;
    if (!isRight) process.exitCode = 1;
  } finally {
    rmSync(answers, { recursive: true, force: true });
    server.close();
    server.closeAllConnections();
  }
}
