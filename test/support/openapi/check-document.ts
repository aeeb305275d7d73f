import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ToolClass } from "../../../src/index.js";
import type { OpenApiToolbox, openApiToolbox } from "../../../src/http/openapi/index.js";
import type { secret } from "../../../src/http/secret.js";
import { isRecord, type Json, operationsOf, schemesOf, type WrittenOperation } from "./document-view.js";
import { problemsOf, type SeenRequest, token } from "./request-problems.js";
import { sampleOf } from "./sample-value.js";

/** The parts of the package that are checked: of its sources in a test, of its build in a script. */
export interface Importer {
  readonly openApiToolbox: typeof openApiToolbox;
  readonly secret: typeof secret;
  readonly validateToolInput: (tool: ToolClass, input: unknown) => { readonly ok: boolean };
  readonly invokeTool: (tool: ToolClass, input: Record<string, unknown>) => Promise<unknown>;
}

/** What came of one document. */
export interface DocumentReport {
  readonly title: string;
  readonly operations: number;
  readonly tools: number;
  readonly refused: readonly { readonly operation: string; readonly reason: string }[];
  /** Why the document gave no toolbox at all. */
  readonly error?: string;
  /** The kinds of calls that were made: method, places of parameters, type of the body. */
  readonly called: readonly string[];
  /** The kinds for which no arguments were found. */
  readonly uncalled: readonly string[];
  /** What is wrong, by tool. */
  readonly problems: readonly string[];
}

const basePath = "/base";

/** Imports a parsed document, compiles each tool's schema, and makes one call of each kind to a server that checks it. */
export async function checkDocument(document: Json, importer: Importer): Promise<DocumentReport> {
  const operations = operationsOf(document);
  const title = String((document.info as Json | undefined)?.title);
  const report = { title, operations: operations.length, called: [], uncalled: [], problems: [] };
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  // Schemas that compile for long between two calls end no connection.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const toolbox = importDocument(document, importer, `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`);
    if (typeof toolbox === "string") return { ...report, tools: 0, refused: [], error: toolbox };
    const calls = await callEachKind(toolbox, operations, importer, requests);
    return { ...report, ...calls, tools: toolbox.tools.length, refused: toolbox.refused };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function importDocument(document: Json, { openApiToolbox, secret }: Importer, baseUrl: string): OpenApiToolbox | string {
  const credential = secret(() => token);
  const auth = Object.entries(schemesOf(document)).map(([name, scheme]) => {
    const isBasic = isRecord(scheme) && (scheme.type === "basic" || String(scheme.scheme).toLowerCase() === "basic");
    return [name, isBasic ? { username: "user", password: credential } : credential] as const;
  });
  try {
    return openApiToolbox(document, { baseUrl, auth: Object.fromEntries(auth) });
  } catch (error) {
    return (error as Error).message;
  }
}

/** Tools come in the order of the operations that weren't refused. */
async function callEachKind(
  { tools, refused }: OpenApiToolbox,
  operations: readonly WrittenOperation[],
  importer: Importer,
  requests: SeenRequest[],
): Promise<Pick<DocumentReport, "called" | "uncalled" | "problems">> {
  const labels = new Set(refused.map(({ operation }) => operation));
  const made = operations.filter(({ method, path }) => !labels.has(`${method} ${path}`));
  const open = new Map<string, boolean>();
  const problems: string[] = [];
  for (const [index, tool] of tools.entries()) {
    const operation = made[index] as WrittenOperation;
    const problem = (text: string): void => void problems.push(`${tool.identifier}: ${text}`);
    const values = samplesOf(tool, importer, problem);
    const kind = kindOf(operation);
    if (open.get(kind) === true || values === undefined) {
      open.set(kind, open.get(kind) ?? false);
      continue;
    }
    open.set(kind, true);
    requests.splice(0);
    try {
      await importer.invokeTool(tool, values);
      const [seen] = requests;
      if (seen === undefined) problem("no request");
      else for (const text of await problemsOf(operation, values, seen, basePath)) problem(text);
    } catch (error) {
      problem((error as Error).message);
    }
  }
  const kinds = [...open];
  return {
    called: kinds.filter(([, isCalled]) => isCalled).map(([kind]) => kind),
    uncalled: kinds.filter(([, isCalled]) => !isCalled).map(([kind]) => kind),
    problems,
  };
}

/** Arguments that the tool takes; asking compiles its schema. */
function samplesOf(tool: ToolClass, { validateToolInput }: Importer, problem: (text: string) => void): Record<string, unknown> | undefined {
  for (const full of [true, false]) {
    try {
      const values = sampleOf(tool.parametersSchema, tool.parametersSchema, full) as Record<string, unknown>;
      if (validateToolInput(tool, values).ok) return values;
    } catch (error) {
      problem(`its schema doesn't compile: ${(error as Error).message}`);
    }
  }
  return undefined;
}

function kindOf({ method, parameters, mediaTypes }: WrittenOperation): string {
  const places = new Set(
    parameters.map(({ in: place, style, explode, schema }) => {
      const isList = schema.type === "array" || schema.type === "object";
      return isList ? `${place} (${style}${explode ? ", exploded" : ""})` : place;
    }),
  );
  return [method, ...[...places].sort(), ...(mediaTypes.length === 0 ? [] : [mediaTypes.join(" or ")])].join(" ");
}
