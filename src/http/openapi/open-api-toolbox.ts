import type { JsonSchema } from "../../schema/index.js";
import { createTool, type ToolClass, type Toolbox, ToolDefinitionError } from "../../tool/index.js";
import { nearestName, type OptionNames, withVisibleTexts } from "../../tool/internal.js";
import { withoutHidden } from "../../redaction/internal.js";
import { checkHeaders, type HttpHeaders } from "../headers.js";
import { policyOfMethod } from "../policy-of-method.js";
import { callOperation, type CallSettings } from "./request/call-operation.js";
import { checkCredentials, type OpenApiAuth } from "./operation/credentials.js";
import { describeOperation } from "./operation/describe-operation.js";
import type { DocumentSource } from "./document/document-file.js";
import { memberOf, textOf } from "./document/read-value.js";
import { choose, type Include } from "./operation/include.js";
import { nameTools, toolboxName } from "./operation/operation-names.js";
import { OpenApiDocument } from "./document/open-api-document.js";
import { type Given, type OperationPlan, planOperation } from "./operation/operation-plan.js";
import { cut, type FoundOperation, findOperations, labelOf, type RefusedOperation, refusedOperation } from "./operation/operations.js";
import { Refusal } from "./operation/operation-refusal.js";
import { SchemaConverter } from "./document/schema-converter.js";
import { checkSchemes, namedSchemes } from "./operation/security.js";
import { readBaseUrl } from "./document/servers.js";

/** Options of `openApiToolbox` and `loadOpenApiToolbox`. See docs/08-http-tools.md. */
export interface OpenApiOptions {
  /** Which operations become tools. Default: all. */
  readonly include?: Include;
  /** The URL of the service, to which the document's paths are added. Default: the document's server. */
  readonly baseUrl?: string;
  /** Credentials by the name of the security scheme. */
  readonly auth?: OpenApiAuth;
  /**
   * Headers of every request. A parameter of the document with the same name is then not an argument of the tool; if this is a
   * function, no header parameter is.
   */
  readonly headers?: HttpHeaders;
}

/** The tools of an OpenAPI document. */
export interface OpenApiToolbox extends Toolbox {
  /** The included operations that can't become tools, with the reasons. */
  readonly refused: readonly RefusedOperation[];
}

const optionNames: OptionNames<OpenApiOptions> = { include: true, baseUrl: true, auth: true, headers: true };

/**
 * Makes a tool of each operation of an OpenAPI document (2.0, 3.0 or 3.1; 3.2 if it uses nothing newer than 3.1).
 *
 * ```ts
 * const orders = openApiToolbox("./orders.yaml", {
 *   include: ["getOrder", "list*"],
 *   auth: { bearerAuth: secret("ORDERS_TOKEN") },
 * });
 * ```
 *
 * `document` is the parsed document, or the path or `file:` URL of a JSON or YAML file (YAML needs the package `yaml`). References
 * to other files are read only below its folder; nothing is fetched.
 *
 * Operations that can't be converted, or need a credential that is missing, are listed in `refused`. Throws `ToolDefinitionError`
 * in these cases:
 *
 * - no operation is left
 * - `include` names an operation in full that can't be converted
 * - the document can't be read
 * - it has too many operations: use `loadOpenApiToolbox`
 *
 * See docs/08-http-tools.md.
 */
export function openApiToolbox(document: DocumentSource, options: OpenApiOptions = {}): OpenApiToolbox {
  return named(() => {
    const read = new OpenApiDocument(document, false);
    const steps = importDocument(read, options, makeTool);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return toolboxOf(step.value);
      read.work.checkDuration();
    }
  });
}

/**
 * Like `openApiToolbox`, for documents of any size: other work can run between the operations. Rejects with the same errors.
 *
 * ```ts
 * const github = await loadOpenApiToolbox("./github.json", { include: ["issues/*"], auth: { token: secret("GITHUB_TOKEN") } });
 * ```
 *
 * See docs/08-http-tools.md.
 */
export async function loadOpenApiToolbox(document: DocumentSource, options: OpenApiOptions = {}): Promise<OpenApiToolbox> {
  const read = named(() => new OpenApiDocument(document, true));
  return toolboxOf(await inTurns(read, importDocument(read, options, makeTool)));
}

/** An operation of a document, ready to become a tool. */
export interface PlannedOperation {
  /** The name of the tool. */
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly plan: OperationPlan;
}

/** The operations that can become tools, for code that is written from them. It sends all headers and credentials by itself. */
export async function planOpenApi(
  document: DocumentSource,
  options: Pick<OpenApiOptions, "include" | "baseUrl">,
): Promise<ImportedDocument<PlannedOperation>> {
  const read = named(() => new OpenApiDocument(document, true));
  const auth = Object.fromEntries(namedSchemes(read).map((scheme) => [scheme, () => ""]));
  const plan: Make<PlannedOperation> = (name, operation, planned, settings) => {
    const { description, tags } = makeTool(name, operation, planned, settings).definition;
    return { name, description, tags, plan: planned };
  };
  return inTurns(read, importDocument(read, { ...options, auth, headers: () => ({}) }, plan));
}

async function inTurns<Result>(read: OpenApiDocument, steps: Generator<void, Result, void>): Promise<Result> {
  for (let before = 0; ; ) {
    const step = named(() => steps.next());
    if (step.done === true) return step.value;
    if (read.work.done - before < partsBetweenPauses) continue;
    before = read.work.done;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** In parts (`ImportWork`): some milliseconds. */
const partsBetweenPauses = 5_000;

/** A fault of a part that all operations share, such as `paths`, is the document's. */
function named<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) throw new ToolDefinitionError(`openApiToolbox: ${error.message}`, { cause: error });
    throw error;
  }
}

/** What is made of the operations of a document. */
interface ImportedDocument<Made> {
  /** The name of the toolbox. */
  readonly name: string;
  readonly made: readonly Made[];
  readonly refused: readonly RefusedOperation[];
}

type Make<Made> = (name: string, operation: FoundOperation, plan: OperationPlan, settings: CallSettings) => Made;

const toolboxOf = ({ name, made, refused }: ImportedDocument<ToolClass>): OpenApiToolbox => ({ name, tools: made, refused });

/** Pauses after each path and each operation. */
function* importDocument<Made>(
  read: OpenApiDocument,
  options: OpenApiOptions,
  make: Make<Made>,
): Generator<void, ImportedDocument<Made>, void> {
  const { given, settings } = checkOptions(read, options);
  const refused: RefusedOperation[] = [];
  const operations = yield* findOperations(read, refused);
  const { chosen, named: chosenByName } = choose(operations, options.include);
  // Better now than after most of the work is done in vain.
  read.work.checkDuration(chosen.length * partsOfOperation);
  const names = nameTools(operations);
  const shared = sharedIds(operations);
  const converter = new SchemaConverter(read);
  const made: Made[] = [];
  for (const operation of chosen) {
    yield;
    try {
      read.work.begin(partsOfOperation);
      refuseSharedId(operation, shared);
      made.push(make(names.get(operation) as string, operation, planOperation(read, converter, operation, given), settings));
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof ToolDefinitionError)) throw error;
      const refusal = refusalOf(operation, error.message);
      if (chosenByName.has(operation)) throw new ToolDefinitionError(`openApiToolbox: ${refusal.operation}: ${refusal.reason}`);
      refused.push(refusal);
    }
  }
  const title = textOf(memberOf(read.member(read.root, "info").value, "title"));
  if (made.length === 0) throw new ToolDefinitionError(noneOf(cut(title ?? "the document", longestTitle), refused));
  return { name: toolboxName(title), made, refused };
}

/** What a tool costs, however small its operation. */
const partsOfOperation = 100;

const longestTitle = 200;
const mostTags = 100;

function checkOptions(document: OpenApiDocument, options: OpenApiOptions): { readonly given: Given; readonly settings: CallSettings } {
  const known = Object.keys(optionNames);
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(optionNames, name)) continue;
    const nearest = nearestName(name, known);
    const instead = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    throw new ToolDefinitionError(`openApiToolbox: unknown option "${name}". There are ${known.join(", ")}.${instead}`);
  }
  const { baseUrl, auth = {}, headers = {} } = options;
  checkCredentials(auth);
  checkSchemes(document, auth);
  checkHeaders(headers, "openApiToolbox");
  const given: Given = {
    baseUrl: baseUrl === undefined ? undefined : readBaseUrl(baseUrl),
    schemes: new Set(Object.keys(auth)),
    headers: typeof headers === "function" ? undefined : new Set(Object.keys(headers).map((name) => name.toLowerCase())),
  };
  return { given, settings: { auth, headers } };
}

/** By each id that is given more than once, the first two operations that have it. */
function sharedIds(operations: readonly FoundOperation[]): ReadonlyMap<string, readonly [FoundOperation, FoundOperation]> {
  const first = new Map<string, FoundOperation>();
  const shared = new Map<string, readonly [FoundOperation, FoundOperation]>();
  for (const operation of operations) {
    const { operationId } = operation;
    if (operationId === undefined) continue;
    const other = first.get(operationId);
    if (other === undefined) first.set(operationId, operation);
    else if (!shared.has(operationId)) shared.set(operationId, [other, operation]);
  }
  return shared;
}

/** OpenAPI 3, "Operation Object": ids are unique. No rule decides which of the two is meant. */
function refuseSharedId(operation: FoundOperation, shared: ReturnType<typeof sharedIds>): void {
  const sharers = shared.get(operation.operationId ?? "");
  if (sharers === undefined || operation.operationId === undefined) return;
  const other = sharers[0] === operation ? sharers[1] : sharers[0];
  throw new Refusal(
    `its operationId "${cut(operation.operationId, longestTitle)}" is also that of ${cut(labelOf(other), longestTitle)}. Give each an id of its own in the document.`,
  );
}

const makeTool: Make<ToolClass> = (name, operation, plan, settings) =>
  createTool({
    name,
    description: describeOperation(operation),
    inputSchema: visibleSchema(plan),
    ...policyOfMethod(plan.method),
    tags: operation.tags
      .slice(0, mostTags)
      .map(withoutHidden)
      .filter((tag) => tag !== ""),
    execute: (values, context) => callOperation(plan, settings, values, context),
  });

/** The names and values of a schema are sent to the service as they are: what hides in them can't be left out. */
function visibleSchema({ parametersSchema }: OperationPlan): JsonSchema {
  try {
    // A copy with other texts is a schema still.
    return withVisibleTexts(parametersSchema) as JsonSchema;
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
}

/** What the schema's own errors say of "createTool" is of no use here. */
const refusalOf = (operation: FoundOperation, reason: string): RefusedOperation =>
  refusedOperation(labelOf(operation), operation.operationId, reason.replace(/^createTool "[^"]*":? (inputSchema: )?/, ""));

const mostListed = 5;

function noneOf(title: string, refused: readonly RefusedOperation[]): string {
  if (refused.length === 0) return `openApiToolbox: ${title} has no operations under paths that include chooses.`;
  const listed = refused.slice(0, mostListed).map(({ operation, reason }) => `\n- ${operation}: ${reason}`);
  const more = refused.length > mostListed ? `\nand ${refused.length - mostListed} more.` : "";
  return `openApiToolbox: no operation of ${title} can become a tool:${listed.join("")}${more}`;
}
