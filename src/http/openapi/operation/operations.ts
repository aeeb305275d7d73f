import { printable } from "../../../redaction/internal.js";
import { memberOf, textOf, textsOf } from "../document/read-value.js";
import { isRecord } from "../../../schema/internal.js";
import { ToolDefinitionError } from "../../../tool/index.js";
import type { OpenApiDocument, Part } from "../document/open-api-document.js";
import { Refusal } from "./operation-refusal.js";

/** An operation of the document, as the function `include` receives it. */
export interface OpenApiOperation {
  /** The HTTP method in capitals: `GET`. */
  readonly method: string;
  /** The path as the document writes it: `/orders/{id}`. */
  readonly path: string;
  /** The operation's id; `undefined` if the document has none. */
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly deprecated: boolean;
}

/** An operation with its places in the document. */
export interface FoundOperation extends OpenApiOperation {
  readonly part: Part;
  /** The path item that holds it, whose parameters and servers are the operation's too. */
  readonly item: Part;
}

/** An operation that can't become a tool. */
export interface RefusedOperation {
  /** Method and path: `GET /orders/{id}`. Only the path if the operation can't be read. */
  readonly operation: string;
  readonly operationId?: string;
  /** Why, and how to fix it. */
  readonly reason: string;
}

export const labelOf = ({ method, path }: OpenApiOperation): string => `${method} ${path}`;

/** A document may be a stranger's, and what is refused of it is printed: longer texts are cut. */
const longestLabel = 300;
const longestReason = 1_000;

/** The reason why an operation can't become a tool: printable, and of bounded length. */
export const refusedOperation = (label: string, operationId: string | undefined, reason: string): RefusedOperation => ({
  operation: printable(cut(label, longestLabel)),
  ...(operationId === undefined ? {} : { operationId }),
  reason: printable(cut(reason, longestReason)),
});

export const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}...` : text);

/** `QUERY` came with OpenAPI 3.2. */
const methods: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]);

/** Far more than any model could choose from, and than any known document has. */
const mostPaths = 20_000;

/** In parts (`ImportWork`): what a path costs, however little it holds. */
const partsOfPath = 10;

/** Every operation of the document, in its order; paths that can't be read are added to `refused`. Pauses after each path. */
export function* findOperations(document: OpenApiDocument, refused: RefusedOperation[]): Generator<void, readonly FoundOperation[], void> {
  const paths = document.member(document.root, "paths");
  const written = Object.keys(isRecord(paths.value) ? paths.value : {}).filter((path) => path.startsWith("/"));
  if (written.length > mostPaths) {
    throw new ToolDefinitionError(
      `openApiToolbox: the document has ${written.length} paths, and ${mostPaths} can be read. Leave out those that aren't needed.`,
    );
  }
  const items = new Map<unknown, readonly Head[]>();
  const operations: FoundOperation[] = [];
  for (const path of written) {
    yield;
    document.work.begin(partsOfPath);
    try {
      const item = document.member(paths, path);
      // Many paths may lead to one item: it is read once.
      const heads = items.get(item.value) ?? headsOf(document, item);
      items.set(item.value, heads);
      for (const head of heads) operations.push({ ...head, path, item });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(refusedOperation(path, undefined, error.message));
    }
  }
  return operations;
}

type Head = Omit<FoundOperation, "path" | "item">;

function headsOf(document: OpenApiDocument, item: Part): readonly Head[] {
  const names = isRecord(item.value) ? document.work.keysOf(item.value).filter((name) => methods.has(name)) : [];
  return names.map((name) => {
    const part = document.member(item, name);
    const text = (member: string): string | undefined => textOf(memberOf(part.value, member));
    return {
      method: name.toUpperCase(),
      operationId: text("operationId"),
      tags: textsOf(memberOf(part.value, "tags")),
      summary: text("summary") ?? textOf(memberOf(item.value, "summary")),
      description: text("description") ?? textOf(memberOf(item.value, "description")),
      deprecated: memberOf(part.value, "deprecated") === true,
      part,
    };
  });
}
