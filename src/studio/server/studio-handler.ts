import { randomUuid } from "../../platform/index.js";
import { redactText } from "../../redaction/index.js";
import { hideSecretsIn } from "../../redaction/internal.js";
import { BodyIntake, statusOf, WebRequestError } from "../../web/internal.js";
import { modelBeginnings } from "../../models/internal.js";
import { insteadOfName } from "../../tool/internal.js";
import type { Overview } from "../api.js";
import { agentLine, agentTools } from "../agents/describe-agent.js";
import { Chats, runChat } from "../agents/chats.js";
import type { KeptChat } from "../agents/kept-chat.js";
import { Replays } from "../runs/replays.js";
import { StoredRuns } from "../runs/stored-runs.js";
import type { StudioAgent, StudioSubjects } from "../subjects.js";
import { checkArguments } from "../tools/check-arguments.js";
import { toolDetail, toolLine } from "../tools/describe-tool.js";
import { ToolCalls } from "../tools/tool-calls.js";
import { eventResponse, messageOf } from "./event-queue.js";
import { protectingHeaders, refuseForeign, refuseStranger } from "./guard.js";
import { objectOf, readJson, textOf } from "./json-body.js";
import { pageFile } from "./page-files.js";
import { readDecisions } from "./read-decision.js";
import { withIds } from "./with-ids.js";

/** Tells the page that another process has taken the place of this one. */
const ownProcess = randomUuid();
/** Bytes of a request's body. */
const bodyLimit = 10_000_000;

/** A request to the API: what its path names, and the request. */
interface Asked {
  readonly names: readonly string[];
  readonly request: Request;
}

type Route = readonly [method: string, path: RegExp, answer: (asked: Asked) => Response | Promise<Response>];

/** The studio as a web handler: its page, and the API of docs/31-studio.md. */
export function studioHandler(subjects: StudioSubjects, { token, page, chats: kept, restart }: HandlerParts): StudioHandler {
  const { storage } = subjects;
  const agents = withIds(subjects.agents, ({ agent }) => agent.definition.name);
  const chats = new Chats(agents, kept);
  const routes = routesOf(subjects, { agents, chats, restart });
  const answer = async (request: Request): Promise<Response> => {
    refuseForeign(request);
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith("/api/")) {
      const file = request.method === "GET" ? await pageFile(pathname, page) : undefined;
      if (file === undefined) throw new WebRequestError(404, "There is no such page. Open the address that the studio printed.");
      return file;
    }
    refuseStranger(request, token);
    for (const [method, path, respond] of routes) {
      const found = method === request.method ? path.exec(pathname) : null;
      if (found !== null) return respond({ names: found.slice(1).map(nameIn), request });
    }
    throw new WebRequestError(404, `The API has no ${request.method} ${pathname}. See docs/31-studio.md.`);
  };
  const handle = async (request: Request): Promise<Response> => {
    const response = await answer(request).catch(problem);
    for (const [name, value] of Object.entries(protectingHeaders)) response.headers.set(name, value);
    return response;
  };
  return { handle, keep: () => chats.keep(), close: async () => storage?.close?.() };
}

interface HandlerParts {
  readonly token: string;
  /** The folder of the built page. */
  readonly page: string;
  /** Those of the studio before. */
  readonly chats?: readonly KeptChat[] | undefined;
  /** Loads the modules again, in another process. */
  readonly restart?: (() => void) | undefined;
}

interface StudioHandler {
  readonly handle: (request: Request) => Promise<Response>;
  /** The chats as JSON. */
  readonly keep: () => Promise<readonly KeptChat[]>;
  readonly close: () => Promise<void>;
}

/** The reader is the developer: the message of each error is shown, without secrets. */
function problem(error: unknown): Response {
  const message = error instanceof WebRequestError ? redactText(error.message) : messageOf(error);
  return Response.json({ error: message }, { status: statusOf(error) });
}

function nameIn(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new WebRequestError(400, "The path isn't a valid address: encode names with encodeURIComponent.");
  }
}

const json = (value: unknown): Response => Response.json(hideSecretsIn(value));

interface Served {
  readonly agents: ReadonlyMap<string, StudioAgent>;
  readonly chats: Chats;
  readonly restart: (() => void) | undefined;
}

function routesOf(subjects: StudioSubjects, { agents, chats, restart }: Served): readonly Route[] {
  const { findings, context, storage, changedFiles, problem: loadProblem } = subjects;
  const intake = new BodyIntake(bodyLimit);
  const tools = withIds(subjects.tools, ({ tool }) => tool.definition.name);
  const calls = new ToolCalls(subjects.tools.map(({ tool }) => tool));
  const replays = new Replays(agents, chats, storage);
  const runs = storage && new StoredRuns({ ...subjects, storage });
  const names = new Set(subjects.tools.map(({ tool }) => tool.definition.name));
  const overview = (): Overview => ({
    tools: [...tools].map(([id, tool]) => toolLine(id, tool, findings)),
    agents: [...agents].map(([id, agent]) => agentLine(id, agent)),
    findings: findings.filter(({ tool, rule }) => rule === "has-one-name" || !names.has(tool)),
    context,
    hasStorage: runs !== undefined,
    models: modelBeginnings,
    changedFiles: changedFiles(),
    process: ownProcess,
    canRestart: restart !== undefined,
    ...(loadProblem !== undefined && { problem: loadProblem }),
  });
  const toolOf = ([id = ""]: readonly string[]) => found(tools, id, "tool");
  const agentOf = ([id = ""]: readonly string[]) => found(agents, id, "agent");
  const storedRuns = (): StoredRuns => {
    if (runs !== undefined) return runs;
    throw new WebRequestError(404, "No storage is shown. Start the studio with --storage, or export a storage from a module.");
  };
  const read = (request: Request) => readJson(request, intake);

  return [
    ["GET", /^\/api\/studio$/, () => json(overview())],
    [
      "POST",
      /^\/api\/restart$/,
      () => {
        if (restart === undefined) throw new WebRequestError(404, "Nothing can load the modules again here. Start the studio again.");
        // Once the answer is sent.
        setTimeout(restart, 50);
        return json({ process: ownProcess });
      },
    ],
    ["GET", /^\/api\/tools\/([^/]+)$/, ({ names: [id = ""] }) => json(toolDetail(id, toolOf([id]), findings))],
    [
      "POST",
      /^\/api\/tools\/([^/]+)\/check$/,
      async (asked) => json(await checkArguments(toolOf(asked.names).tool, objectOf(await read(asked.request), "arguments"))),
    ],
    [
      "POST",
      /^\/api\/tools\/([^/]+)\/calls$/,
      async (asked) => {
        const { tool } = toolOf(asked.names);
        const body = await read(asked.request);
        const [given, toolContext] = [objectOf(body, "arguments"), objectOf(body, "context")];
        return eventResponse((queue, signal) => calls.call(tool, given, toolContext, (event) => queue.push(event), signal));
      },
    ],
    [
      "POST",
      /^\/api\/calls\/([^/]+)\/decision$/,
      async ({ names: [id = ""], request }) => {
        const carryOut = calls.take(id, await read(request));
        return eventResponse((queue, signal) => carryOut((event) => queue.push(event), signal));
      },
    ],
    [
      "POST",
      /^\/api\/agents\/([^/]+)\/tools$/,
      async (asked) => json(await agentTools(agentOf(asked.names), objectOf(await read(asked.request), "context"))),
    ],
    [
      "POST",
      /^\/api\/agents\/([^/]+)\/chats$/,
      async ({ names: id, request }) => {
        agentOf(id);
        const { model } = await read(request);
        return json({ chat: await chats.open(id[0] ?? "", model === undefined ? undefined : textOf({ model }, "model")) });
      },
    ],
    ["GET", /^\/api\/chats\/([^/]+)$/, async ({ names: [id = ""] }) => json({ messages: (await chats.chat(id)).agent.messages.length })],
    [
      "POST",
      /^\/api\/chats\/([^/]+)\/messages$/,
      async ({ names: [id = ""], request }) => {
        const chat = await chats.chat(id);
        const body = await read(request);
        const prompt = body.prompt === undefined ? undefined : textOf(body, "prompt");
        const toolContext = objectOf(body, "context");
        return eventResponse((queue, signal) => runChat(chat, { prompt }, toolContext, queue, signal));
      },
    ],
    [
      "POST",
      /^\/api\/chats\/([^/]+)\/decisions$/,
      async ({ names: [id = ""], request }) => {
        const chat = await chats.chat(id);
        const body = await read(request);
        const [decisions, toolContext] = [readDecisions(body), objectOf(body, "context")];
        return eventResponse((queue, signal) => runChat(chat, { decisions }, toolContext, queue, signal));
      },
    ],
    [
      "GET",
      /^\/api\/chats\/([^/]+)\/prefix$/,
      async ({ names: [id = ""] }) => json({ prefix: (await chats.chat(id)).agent.prefix ?? null }),
    ],
    ["GET", /^\/api\/runs\/([^/]+)\/steps$/, async ({ names: [id = ""] }) => json(await replays.steps(id))],
    [
      "POST",
      /^\/api\/runs\/([^/]+)\/replays$/,
      async ({ names: [id = ""], request }) => json({ chat: await replays.open(id, await read(request)) }),
    ],
    ["GET", /^\/api\/runs$/, async () => json({ runs: await storedRuns().list() })],
    ["GET", /^\/api\/inbox$/, async () => json(await storedRuns().inbox())],
    ["GET", /^\/api\/runs\/([^/]+)$/, async ({ names: [id = ""] }) => json(await storedRuns().detail(id))],
    [
      "GET",
      /^\/api\/runs\/([^/]+)\/events$/,
      async ({ names: [id = ""], request }) => {
        const after = new URL(request.url).searchParams.get("after") ?? undefined;
        await storedRuns().detail(id);
        return eventResponse((queue, signal) => storedRuns().follow(id, after, queue, signal));
      },
    ],
    [
      "POST",
      /^\/api\/runs\/([^/]+)\/decisions$/,
      async ({ names: [id = ""], request }) => json(await storedRuns().decide(id, await read(request))),
    ],
  ];
}

function found<Item>(items: ReadonlyMap<string, Item>, id: string, kind: string): Item {
  const item = items.get(id);
  if (item !== undefined) return item;
  const hint = items.size === 0 ? `The modules export no ${kind}s.` : insteadOfName(id, [...items.keys()]);
  throw new WebRequestError(404, `There is no ${kind} "${id}". ${hint}`);
}
