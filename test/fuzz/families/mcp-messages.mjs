import { createTool } from "toolwright";
import { createRunScope, ToolExecutor } from "toolwright/execution";
import { mcpHandler } from "toolwright/mcp";
import { filled } from "./build.mjs";
import { connect, prepare } from "./hostile-server.mjs";
import { checkWords } from "./named-errors.mjs";
import { hostilePieces } from "./text-pieces.mjs";

/** Bytes of a request that the server takes, and of a message that the client takes. */
const requestCap = 4_000_000;
const answerCap = 5_000_000;

const note = createTool(
  "note",
  "Keeps a note.",
  { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false },
  () => "kept",
);
const anything = createTool("anything", "Takes anything.", { type: "object" }, (input) => Object.keys(input).length);
const handler = await mcpHandler({ name: "fuzzed", version: "1.0.0", tools: [note, anything], onError: () => undefined });

const meta = JSON.stringify({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
});
const call = (name, argumentsText) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${argumentsText},"_meta":${meta}}}`;

async function ask(body, revision, name = "anything") {
  const headers = { host: "localhost", "content-type": "application/json", accept: "application/json, text/event-stream" };
  const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name };
  const response = await handler(
    new Request("http://localhost/mcp", { method: "POST", headers: { ...headers, ...(revision === "modern" && modern) }, body }),
  );
  checkWords((await response.text()).slice(0, 100_000));
}

const members = (length, member) => {
  const parts = [];
  for (let used = 0, index = 0; used < length; index++) {
    parts.push(member(index));
    used += parts.at(-1).length + 1;
  }
  return parts.join(",");
};

const requests = {
  keys: (_, length) => call("anything", `{${members(length, (index) => `"k${index}":1`)}}`),
  unknownKeys: (_, length) => call("note", `{${members(length, (index) => `"k${index}":1`)}}`),
  sameKeys: (_, length) => call("note", `{${members(length, () => '"text":"a"')}}`),
  numbers: (_, length) => call("anything", `{"a":[${members(length, () => "1")}]}`),
  lists: (_, length) => call("anything", `{"a":[${members(length, () => "[]")}]}`),
  deep: (_, length) => call("anything", `{"a":${filled("[", length / 2)}${filled("]", length / 2)}}`),
  deepMeta: (_, length) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"a":${filled("[", length / 2)}${filled("]", length / 2)}}}}`,
  longText: (_, length) => call("note", `{"text":"${filled("eyJ-", length)}"}`),
  longName: (_, length) => call(filled("x", length), "{}"),
  batch: (_, length) => `[${members(length, (index) => `{"jsonrpc":"2.0","id":${index},"method":"tools/list"}`)}]`,
  notifications: (_, length) => `[${members(length, () => '{"jsonrpc":"2.0","method":"notifications/initialized"}')}]`,
  unknownMethod: (_, length) => `{"jsonrpc":"2.0","id":1,"method":"${filled("a/", length)}"}`,
  longId: (_, length) => `{"jsonrpc":"2.0","id":"${filled("1", length)}","method":"tools/list"}`,
  escapes: (_, length) => call("note", `{"text":"${filled("\\u0061", length)}"}`),
  pieces: (random, length) => random.text(length, hostilePieces),
  piecesAsArguments: (random, length) => call("note", JSON.stringify({ text: random.text(length / 2, hostilePieces) })),
};

const result = (text) => `{"jsonrpc":"2.0","id":"@id@","result":${text}}`;
const answers = {
  parts: (_, length) => result(`{"content":[${members(length, () => '{"type":"text","text":"a"}')}]}`),
  oddParts: (random, length) =>
    result(
      `{"content":[${members(length, () => random.pick(["null", "1", "{}", '{"type":"image"}', '{"type":"x"}', '{"type":"resource","resource":{}}']))}]}`,
    ),
  longText: (random, length) =>
    result(`{"content":[{"type":"text","text":${JSON.stringify(filled(random.pick(hostilePieces).toWellFormed(), length / 3))}}]}`),
  structured: (_, length) => result(`{"content":[],"structuredContent":{${members(length, (index) => `"k${index}":[{}]`)}}}`),
  deepStructured: (_, length) => result(`{"content":[],"structuredContent":{"a":${filled("[", length / 2)}${filled("]", length / 2)}}}`),
  image: (_, length) => result(`{"content":[{"type":"image","mimeType":"image/png","data":"${filled("AAAA", length)}"}]}`),
  failed: (_, length) => `{"jsonrpc":"2.0","id":"@id@","error":{"code":-32000,"message":"${filled("Authorization: x ", length)}"}}`,
  failedData: (_, length) => `{"jsonrpc":"2.0","id":"@id@","error":{"code":-32000,"message":"no","data":[${members(length, () => "{}")}]}}`,
  pieces: (random, length) =>
    result(`{"content":[{"type":"text","text":${JSON.stringify(random.text(length / 3, hostilePieces).toWellFormed())}}]}`),
};

export const family = {
  title: "MCP messages",
  judged: ["processor", "memory"],
  shapes: {
    ...Object.fromEntries(
      Object.entries(requests).map(([name, write]) => [
        `request, ${name}`,
        (random, share) => {
          const body = write(random, requestCap * share * 0.99);
          const revision = random.pick(["modern", "legacy"]);
          return () => ask(body, revision, body.includes('"name":"note"') ? "note" : "anything");
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(answers).map(([name, write]) => [
        `answer, ${name}`,
        async (random, share) => {
          const body = write(random, answerCap * share * 0.99);
          await prepare({ listed: [{ name: "echo", description: "Says it again.", inputSchema: { type: "object" } }], given: body });
          const toolbox = await connect();
          return async () => {
            const executor = new ToolExecutor({ tools: toolbox.tools });
            const answer = await executor.call({ id: "1", name: "hostile_echo", arguments: {} }, createRunScope());
            if ("error" in answer) checkWords(answer.error);
            await toolbox.close();
          };
        },
      ]),
    ),
  },
};
