/** The stand-ins for providers reject what the providers reject, in their own words: else long conversations would prove nothing. */
import { GroqProvider, MistralProvider, OpenAiChatProvider } from "../support/prefix/chat-providers.js";
import { ConverseProvider } from "../support/prefix/converse-provider.js";
import type { Answering, StandIn } from "../support/prefix/stand-in.js";

const sayDone: Answering = () => ({ text: "Done." });

async function ask({ fetch }: StandIn, body: object, url = "http://provider.test/converse"): Promise<{ status: number; body: any }> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

describe("the stand-in for Claude on Bedrock's Converse", () => {
  const user = (...content: object[]) => ({ role: "user", content: content.length > 0 ? content : [{ text: "Go on." }] });
  const answer = (...content: object[]) => ({ role: "assistant", content });
  const call = { toolUse: { toolUseId: "tooluse_1", name: "search", input: {} } };
  const result = { toolResult: { toolUseId: "tooluse_1", content: [{ text: "done" }] } };
  const toolOf = (name: string) => ({
    toolSpec: { name, description: "Finds.", inputSchema: { json: { type: "object", properties: {} } } },
  });
  const toolConfig = { tools: [toolOf("search")] };
  const image = { image: { format: "png", source: { bytes: "AAAA" } } };

  it("takes a call with its result", async () => {
    const { status } = await ask(new ConverseProvider(sayDone), { messages: [user(), answer(call), user(result)], toolConfig });
    expect(status).toBe(200);
  });

  it.each([
    ["calls without toolConfig", { messages: [user(), answer(call), user(result)] }, "the toolConfig field must be defined"],
    ["a call without a result", { messages: [user(), answer(call), user()], toolConfig }, "the call tooluse_1 has no result"],
    ["a result of no call", { messages: [user(), answer({ text: "Hi." }), user(result)], toolConfig }, "unknown call tooluse_1"],
    ["two turns of the user", { messages: [user(), user()] }, "two messages of the role user in a row"],
    ["a late system message", { messages: [user(), { role: "system", content: [{ text: "Be kind." }] }, user()] }, "the role system"],
    [
      "a forced choice",
      { messages: [user()], toolConfig: { ...toolConfig, toolChoice: { any: {} } } },
      "any isn't supported by this model",
    ],
    [
      "an empty description",
      { messages: [user()], toolConfig: { tools: [{ toolSpec: { ...toolOf("search").toolSpec, description: "" } }] } },
      "an empty description",
    ],
    ["two tools of one name", { messages: [user()], toolConfig: { tools: [toolOf("search"), toolOf("search")] } }, "search"],
    ["21 images", { messages: [user(...Array.from({ length: 21 }, () => image))] }, "21 images, of at most 20"],
    ["an unknown member", { messages: [user()], thinking: {} }, "thinking: Extra inputs are not permitted"],
  ])("rejects %s", async (_, body, message) => {
    expect(await ask(new ConverseProvider(sayDone), body)).toEqual({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  describe("if thinking is sent back", () => {
    const first = { system: [{ text: "Be brief." }], messages: [user()], toolConfig };
    const thoughtIn = ({ body }: { body: any }) => body.output.message;
    const bound = { message: expect.stringContaining("bound to a different conversation") };

    it.each([
      ["instructions", { system: [{ text: "Be kind." }] }],
      ["tools", { toolConfig: { tools: [toolOf("search"), toolOf("refund")] } }],
      ["a message", { messages: [user({ text: "Go." })] }],
    ])("rejects changed %s", async (_, changed: Partial<typeof first>) => {
      const provider = new ConverseProvider(sayDone);
      const thought = thoughtIn(await ask(provider, first));
      const now = { ...first, ...changed };
      expect((await ask(provider, { ...first, messages: [...first.messages, thought, user()] })).status).toBe(200);
      expect(await ask(provider, { ...now, messages: [...now.messages, thought, user()] })).toEqual({ status: 400, body: bound });
    });

    it("rejects a gap between thoughts, and takes the newest ones", async () => {
      const provider = new ConverseProvider(sayDone);
      const history: object[] = [user()];
      for (let turn = 0; turn < 3; turn += 1) history.push(thoughtIn(await ask(provider, { ...first, messages: history })), user());
      const without = (...places: number[]) => history.map((said, place) => (places.includes(place) ? answer({ text: "Done." }) : said));

      expect(await ask(provider, { ...first, messages: without(3) })).toEqual({ status: 400, body: bound });
      expect((await ask(provider, { ...first, messages: without(1, 3) })).status).toBe(200);
    });
  });
});

describe("the stand-ins for Chat Completions", () => {
  const user = { role: "user", content: "Go on." };
  const called = (id: string) => ({
    role: "assistant",
    content: "",
    tool_calls: [{ id, type: "function", function: { name: "search", arguments: "{}" } }],
  });
  const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "done" });
  const toolOf = (name: string) => ({
    type: "function",
    function: { name, description: "Finds.", parameters: { type: "object", properties: {} } },
  });
  const tools = [toolOf("search")];
  const ids = { openai: "call_1", mistral: "abcdef123", groq: "fc_1" };
  const openAi = [
    "OpenAI",
    OpenAiChatProvider,
    ids.openai,
    (message: unknown) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
  ] as const;
  const mistral = [
    "Mistral",
    MistralProvider,
    ids.mistral,
    (message: unknown) => ({ object: "error", message, type: "invalid_request_error", param: null, code: "3230" }),
  ] as const;
  const groq = ["Groq", GroqProvider, ids.groq, (message: unknown) => ({ error: { message, type: "invalid_request_error" } })] as const;
  const all = [openAi, mistral, groq];

  it.each(all)("take a call with its result: %s", async (_, Provider, id) => {
    expect((await ask(new Provider(sayDone), { model: "m", messages: [user, called(id), result(id)], tools })).status).toBe(200);
  });

  const shared: readonly (readonly [what: string, body: object, message: string])[] = [
    ["an empty list of tools", { messages: [user], tools: [] }, "[] is too short"],
    ["a choice without tools", { messages: [user], tool_choice: "auto" }, "'tool_choice' is only allowed when 'tools' are specified"],
    [
      "a choice of another tool",
      { messages: [user], tools, tool_choice: { type: "function", function: { name: "refund" } } },
      "'refund' not found",
    ],
    ["a late system message", { messages: [user, { role: "system", content: "Be kind." }, user] }, "a late message of the role system"],
    ["an unknown role", { messages: [{ role: "model", content: "Hi." }, user] }, "Invalid value: 'model'"],
    [
      "a damaged image",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,?" } }] }] },
      "an image at data:image/png",
    ],
  ];
  it.each(
    all.flatMap(([name, Provider, , error]) =>
      shared.map(([what, body, message]) => [name, what, Provider, body, error, message] as const),
    ),
  )("reject, by %s, %s", async (_name, _what, Provider, body, error, message) => {
    expect(await ask(new Provider(sayDone), { model: "m", ...body })).toEqual({
      status: 400,
      body: error(expect.stringContaining(message)),
    });
  });

  it.each([
    ["a call without a result", ...openAi, { messages: [user, called(ids.openai), user], tools }, "call_1 have no result"],
    [
      "an id of 41 characters",
      ...openAi,
      { messages: [user, called("c".repeat(41)), result("c".repeat(41))], tools },
      "longer than 40 characters",
    ],
    ["129 tools", ...openAi, { messages: [user], tools: Array.from({ length: 129 }, (_, index) => toolOf(`tool_${index}`)) }, "129 tools"],
    ["129 tools", ...groq, { messages: [user], tools: Array.from({ length: 129 }, (_, index) => toolOf(`tool_${index}`)) }, "129 tools"],
    ["a message without content", ...groq, { messages: [{ role: "user" }] }, "content is missing"],
    [
      "an id in another form",
      ...mistral,
      { messages: [user, called("call_1"), result("call_1")], tools },
      "must be a-z, A-Z, 0-9, with a length of 9",
    ],
    [
      "a user right after a result",
      ...mistral,
      { messages: [user, called(ids.mistral), result(ids.mistral), user], tools },
      "Unexpected role 'user' after role 'tool'",
    ],
    ["an answer at the end", ...mistral, { messages: [user, { role: "assistant", content: "Hi." }] }, "Expected last role User or Tool"],
  ])("reject %s: %s", async (_what, _name, Provider, _id, error, body, message) => {
    expect(await ask(new Provider(sayDone), { model: "m", ...body })).toEqual({
      status: 400,
      body: error(expect.stringContaining(message)),
    });
  });
});
