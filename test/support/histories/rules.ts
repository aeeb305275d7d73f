/**
 * Why providers reject a history, by what they publish or answer with. Each rule has its source beside it; a rule without one isn't
 * here. Bodies are what the provider packages send.
 */
/** The body of a request in a provider's own form. */
type Json = any;

export type Wire =
  | "openai"
  | "openai-responses"
  | "anthropic"
  | "google"
  | "mistral"
  | "groq"
  | "amazon-bedrock"
  | "cohere"
  | "deepseek"
  | "xai"
  | "openai-compatible";

const isBlank = (text: unknown): boolean => typeof text !== "string" || text.trim() === "";

const listed = (value: Json): Json[] => (Array.isArray(value) ? value : []);

/** Each list of calls is followed by the results of its calls, and no result stands elsewhere. */
function pairingFaults(messages: Json[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const [index, { role, tool_calls, tool_call_id }] of messages.entries()) {
    if (role === "tool") {
      if (!open.includes(tool_call_id)) faults.push(`message ${index}: a result of the unknown call ${tool_call_id}`);
      open = open.filter((id) => id !== tool_call_id);
      continue;
    }
    if (open.length > 0) faults.push(`message ${index}: the calls ${open.join()} have no result`);
    open = listed(tool_calls).map(({ id }) => id);
    if (new Set(open).size < open.length) faults.push(`message ${index}: two calls have one id`);
  }
  if (open.length > 0) faults.push(`the last calls ${open.join()} have no result`);
  return faults;
}

const idsOf = (messages: Json[]): string[] =>
  messages.flatMap(({ tool_calls, tool_call_id = [] }) => [...listed(tool_calls).map(({ id }) => id), tool_call_id].flat());

function openAiFaults({ messages }: Json): string[] {
  return [
    // "An assistant message with 'tool_calls' must be followed by tool messages": https://github.com/agno-agi/agno/issues/4345
    ...pairingFaults(messages),
    // "string too long. Expected a string with maximum length 40": https://github.com/anomalyco/opencode/issues/12653
    ...idsOf(messages)
      .filter((id) => id.length > 40)
      .map((id) => `the id ${id} is longer than 40 characters`),
  ];
}

function responsesFaults({ input }: Json): string[] {
  const calls = listed(input).filter(({ type }) => type === "function_call");
  const outputs = listed(input).filter(({ type }) => type === "function_call_output");
  const ids = [...calls, ...outputs].map(({ call_id }) => call_id);
  const [called, answered] = [calls, outputs].map((items) => new Set(items.map(({ call_id }) => call_id)));
  return [
    // "string too long. Expected a string with maximum length 64": https://github.com/decolua/9router/issues/393
    ...ids.filter((id) => id.length > 64).map((id) => `the id ${id} is longer than 64 characters`),
    // "No tool output found for function call": https://github.com/openai/codex/issues/93
    ...[...(called ?? [])].filter((id) => answered?.has(id) !== true).map((id) => `no output for the call ${id}`),
    // "No tool call found for function call output": https://github.com/microsoft/vscode/issues/320060
    ...[...(answered ?? [])].filter((id) => called?.has(id) !== true).map((id) => `no call for the output ${id}`),
  ];
}

/** `MistralRequestValidatorV3` in serving mode: https://github.com/mistralai/mistral-common, protocol/instruct/validator.py */
function mistralFaults({ messages }: Json): string[] {
  const followers: Readonly<Record<string, readonly string[]>> = {
    system: ["user", "assistant", "system"],
    user: ["assistant", "system", "user"],
    assistant: ["assistant", "user", "tool"],
    tool: ["assistant", "tool"],
  };
  const faults = pairingFaults(messages).map((fault) => `Not the same number of function calls and responses: ${fault}`);
  for (const [index, { role, content, tool_calls, prefix }] of messages.entries()) {
    const before = messages[index - 1]?.role;
    if (before !== undefined && !followers[before]?.includes(role)) faults.push(`Unexpected role '${role}' after role '${before}'`);
    if (role === "assistant" && listed(tool_calls).length === 0 && (content === "" || content?.length === 0))
      faults.push(`message ${index} has neither content nor tool_calls`);
    if (prefix === true && index < messages.length - 1) faults.push(`message ${index} has a prefix, but isn't the last`);
  }
  const last = messages.at(-1);
  if (last?.role === "assistant" && last.prefix !== true) faults.push("Expected last role User or Tool");
  if (messages.length === 1 && !["user", "system"].includes(last.role)) faults.push("must start with a user message");
  for (const id of idsOf(messages))
    if (!/^[a-zA-Z0-9]{9}$/.test(id)) faults.push(`Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9`);
  return faults;
}

function anthropicFaults({ system = [], messages }: Json): string[] {
  const faults: string[] = [];
  // "text content blocks must contain non-whitespace text": https://github.com/anthropics/claude-code/issues/23440
  for (const { text } of listed(system)) if (isBlank(text)) faults.push("a blank system text");
  // "messages: first message must use the "user" role": https://github.com/lobehub/lobehub/issues/1601
  if (messages[0]?.role !== "user") faults.push(`the first message is of the role ${messages[0]?.role}`);
  // "The conversation must end with a user message": https://github.com/aaif-goose/goose/issues/7425. Late system messages aside.
  const turns = messages.filter(({ role }: Json) => role !== "system");
  if (turns.at(-1)?.role !== "user") faults.push("the conversation doesn't end with a user message");
  for (const [index, { role, content }] of messages.entries()) {
    const blocks = listed(content);
    // They stand after a user message, and before an answer or at the end: https://docs.claude.com/en/docs/build-with-claude/preserved-thinking
    const before = messages.slice(0, index).findLast((one: Json) => one.role !== "system");
    const after = messages.slice(index).find((one: Json) => one.role !== "system");
    if (role === "system" && (before?.role !== "user" || (after?.role ?? "assistant") !== "assistant"))
      faults.push(`message ${index}: a system message between ${before?.role} and ${after?.role}`);
    // "all messages must have non-empty content": https://github.com/anthropics/claude-code/issues/4416
    if (blocks.length === 0) faults.push(`message ${index} is empty`);
    // "The final block in an assistant message cannot be `thinking`": https://github.com/tailcallhq/forgecode/issues/2107
    if (["thinking", "redacted_thinking"].includes(blocks.at(-1)?.type)) faults.push(`message ${index} ends with thinking`);
    const uses = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    const results = blocks.filter(({ type }) => type === "tool_result").map(({ tool_use_id }) => tool_use_id);
    const next = listed(messages[index + 1]?.content)
      .filter(({ type }) => type === "tool_result")
      .map(({ tool_use_id }) => tool_use_id);
    const called = listed(messages[index - 1]?.content)
      .filter(({ type }) => type === "tool_use")
      .map(({ id }) => id);
    // "`tool_use` ids were found without `tool_result` blocks immediately after": https://github.com/anthropics/claude-code/issues/8612
    for (const id of uses) if (!next.includes(id)) faults.push(`message ${index}: the call ${id} has no result in the next message`);
    // "unexpected tool_use_id found in tool_result blocks": https://github.com/tghamm/Anthropic.SDK/issues/184
    for (const id of results) if (!called.includes(id)) faults.push(`message ${index}: a result of the unknown call ${id}`);
    // "String should match pattern '^[a-zA-Z0-9_-]+$'": https://github.com/maximhq/bifrost/issues/5097
    for (const id of [...uses, ...results]) if (!/^[a-zA-Z0-9_-]+$/.test(id)) faults.push(`message ${index}: the id ${id}`);
    for (const block of blocks) {
      if (block.type === "text" && isBlank(block.text)) faults.push(`message ${index}: a blank text`);
      // "text content blocks must be non-empty", of tool results: https://github.com/aliasrobotics/cai/issues/182
      if (
        block.type === "tool_result" &&
        (typeof block.content === "string"
          ? isBlank(block.content)
          : listed(block.content).some(({ type, text }) => type === "text" && isBlank(text)))
      )
        faults.push(`message ${index}: a blank result`);
    }
  }
  return faults;
}

function bedrockFaults({ system = [], messages, toolConfig }: Json): string[] {
  const faults: string[] = [];
  const hasTools = messages.some(({ content }: Json) => content.some(({ toolUse, toolResult }: Json) => toolUse ?? toolResult));
  // "The toolConfig field must be defined when using toolUse and toolResult": https://github.com/vxcontrol/pentagi/pull/196
  if (hasTools && listed(toolConfig?.tools).length === 0) faults.push("the toolConfig field must be defined");
  // "A conversation must start with a user message": https://github.com/langgenius/dify/issues/12340
  if (messages[0]?.role !== "user") faults.push("the conversation must start with a user message");
  // The Claude models behind it: https://github.com/aaif-goose/goose/issues/7425
  if (messages.at(-1)?.role !== "user") faults.push("the conversation must end with a user message");
  // "text content blocks must be non-empty": https://github.com/NousResearch/hermes-agent/issues/55092
  for (const { text } of listed(system)) if (isBlank(text)) faults.push("a blank system text");
  for (const [index, { role, content }] of messages.entries()) {
    // "A conversation must alternate between user and assistant roles": https://github.com/langchain-ai/langchainjs/issues/6724
    if (messages[index - 1]?.role === role) faults.push(`two messages of the role ${role} in a row`);
    if (content.length === 0) faults.push(`message ${index} is empty`);
    const before = listed(messages[index - 1]?.content).flatMap(({ toolUse }) => toolUse?.toolUseId ?? []);
    const next = listed(messages[index + 1]?.content).flatMap(({ toolResult }) => toolResult?.toolUseId ?? []);
    for (const { text, toolUse, toolResult } of content) {
      // "The text field in the ContentBlock object is blank": https://github.com/boto/botocore/issues/3525
      for (const value of [text ?? [], listed(toolResult?.content).map((part) => part.text ?? [])].flat(2))
        if (isBlank(value)) faults.push(`message ${index}: a blank text`);
      // The rules of Claude for results: https://github.com/anthropics/claude-code/issues/8612
      if (toolUse !== undefined && !next.includes(toolUse.toolUseId))
        faults.push(`message ${index}: the call ${toolUse.toolUseId} has no result`);
      if (toolResult !== undefined && !before.includes(toolResult.toolUseId))
        faults.push(`message ${index}: a result of the unknown call ${toolResult.toolUseId}`);
      // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html
      for (const id of [toolUse?.toolUseId ?? [], toolResult?.toolUseId ?? []].flat())
        if (!/^[a-zA-Z0-9_-]{1,64}$/.test(id)) faults.push(`message ${index}: the id ${id}`);
      if (toolUse !== undefined && !/^[a-zA-Z0-9_-]{1,64}$/.test(toolUse.name)) faults.push(`message ${index}: the name ${toolUse.name}`);
    }
  }
  return faults;
}

function geminiFaults({ contents }: Json): string[] {
  const faults: string[] = [];
  const calls = (content: Json): number => listed(content?.parts).filter(({ functionCall }) => functionCall).length;
  const results = (content: Json): number => listed(content?.parts).filter(({ functionResponse }) => functionResponse).length;
  for (const [index, content] of contents.entries()) {
    const before = contents[index - 1];
    // "contents.parts must not be empty": https://github.com/vercel/ai/issues/3775
    if (listed(content.parts).length === 0) faults.push(`contents[${index}].parts must not be empty`);
    // "function call turn comes immediately after a user turn or after a function response turn":
    // https://github.com/google-gemini/gemini-cli/issues/26486
    if (calls(content) > 0 && before?.role !== "user") faults.push(`contents[${index}]: a function call after ${before?.role}`);
    // "the number of function response parts is equal to the number of function call parts":
    // https://github.com/google-gemini/gemini-cli/issues/3814
    if (calls(content) !== results(contents[index + 1]) || results(content) !== calls(before))
      faults.push(`contents[${index}]: the calls and their responses differ`);
  }
  // "rejects a request whose history ends on a model turn": https://github.com/crewAIInc/crewAI/pull/6973
  if (contents.at(-1)?.role === "model") faults.push("the history ends on a model turn");
  return faults;
}

/** "property 'content' is missing", "property 'tool_call_id' is missing": https://github.com/hackclub/ai/issues/22 */
const groqFaults = ({ messages }: Json): string[] =>
  messages.flatMap(({ role, content, tool_call_id }: Json, index: number) => [
    ...(content === undefined ? [`messages.${index}.content is missing`] : []),
    ...(role === "tool" && tool_call_id === undefined ? [`messages.${index}.tool_call_id is missing`] : []),
  ]);

/** "tool_call_id" matches a result with its call: https://docs.cohere.com/v2/docs/migrating-v1-to-v2#tool-call-id */
const cohereFaults = ({ messages }: Json): string[] => pairingFaults(messages);

function deepSeekFaults({ model, messages }: Json): string[] {
  return [
    // "insufficient tool messages following tool_calls message": https://github.com/TurixAI/TuriX-CUA/issues/15
    ...pairingFaults(messages),
    // "The reasoning_content in the thinking mode must be passed back": https://api-docs.deepseek.com/guides/thinking_mode
    ...messages.flatMap(({ role, reasoning_content }: Json, index: number) =>
      model.includes("v4") && role === "assistant" && typeof reasoning_content !== "string"
        ? [`message ${index} has no reasoning_content`]
        : [],
    ),
  ];
}

/** "Each message must have at least one content element": https://github.com/AstrBotDevs/AstrBot/issues/6447 and langchain#34140 */
const xaiFaults = ({ messages = [] }: Json): string[] =>
  messages.flatMap(({ content, tool_calls }: Json, index: number) =>
    content === undefined || content === null || (content.length === 0 && listed(tool_calls).length === 0)
      ? [`message ${index} has no content`]
      : [],
  );

const checks: Readonly<Record<Wire, (body: Json) => string[]>> = {
  openai: openAiFaults,
  "openai-responses": responsesFaults,
  anthropic: anthropicFaults,
  google: geminiFaults,
  mistral: mistralFaults,
  groq: groqFaults,
  "amazon-bedrock": bedrockFaults,
  cohere: cohereFaults,
  deepseek: deepSeekFaults,
  xai: xaiFaults,
  // Servers that take what OpenAI takes.
  "openai-compatible": openAiFaults,
};

export const historyFaults = (wire: Wire, body: Json): string[] => checks[wire](body);
