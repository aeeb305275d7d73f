import { type PlannedOperation, planOpenApi, Refusal, type SchemePlace } from "../../http/internal.js";
import type { JsonSchema } from "../../schema/index.js";
import { ToolDefinitionError } from "../../tool/index.js";
import { UsageError } from "../exit-codes.js";
import { classProject, type ImportedProject, sortOut } from "./class-project.js";
import { literal } from "./literal.js";
import { byLetters, kebabCase, pascalCase, variableName } from "./names.js";
import { obstacleTo, type ToolToWrite } from "./tool-source.js";

/** Writes a class that extends `HttpTool` for each operation of a document, and a base class with what they share. */
export async function openApiProject(
  file: string,
  options: { readonly include?: readonly string[]; readonly baseUrl?: string },
): Promise<ImportedProject> {
  const {
    name,
    made: operations,
    refused,
  } = await planOpenApi(file, options).catch((error: unknown) => {
    // A file that can't be read is a mistake of the person who named it. A refusal is about what the document says.
    if (error instanceof ToolDefinitionError && error.cause !== undefined && !(error.cause instanceof Refusal))
      throw new UsageError(error.message);
    throw error;
  });
  const { written, leftOut } = sortOut(operations, obstacle);
  const shared = sharedBy(written);
  const prefix = variableName(name);
  const baseClass = `${pascalCase(name)}Tool`;
  const baseFile = `${kebabCase(name)}-tool`;
  const headers = headersSource(shared, prefix);
  const base = `import { ${["HttpTool", "http", ...headers.imports].sort(byLetters).join(", ")} } from "toolwright/http";

/** What all tools of this service share. */
@http({
  baseUrl: ${JSON.stringify(shared.base)},
${headers.lines.length === 0 ? "" : `  headers: {\n${headers.lines.map((line) => `    ${line},\n`).join("")}  },\n`}})
export abstract class ${baseClass} extends HttpTool {}
`;
  const variables = [
    ...new Set([headers, ...written.map((operation) => headersSource(ownOf(operation, shared), prefix))].flatMap((one) => one.variables)),
  ];
  return classProject({
    name,
    toolbox: name,
    tools: written,
    write: (operation, className) => toolOf(operation, className, { baseClass, baseFile, shared, prefix }),
    leftOut: [...refused.map(({ operation, reason }) => ({ name: operation, reason })), ...leftOut],
    files: { [`${baseFile}.ts`]: base },
    takenClasses: [name],
    variables,
  });
}

/** What `@http` can't say. */
function obstacle({ plan }: PlannedOperation): string | undefined {
  const instead = "Use openApiToolbox with include for this one.";
  for (const { argument, parameter } of plan.parameters) {
    const { place, name, format, schema } = parameter;
    if (place !== "path" && place !== "query") return `it takes the ${place} "${name}" from the model. ${instead}`;
    if (argument !== name) return `its parameter "${name}" can't be the name of an argument. ${instead}`;
    const isList = schema.schema.type === "array";
    const isPlain = place === "path" ? format.style === "simple" && !isList : format.style === "form" && (format.explode || !isList);
    if (!isPlain || format.json || format.allowReserved) return `its parameter "${name}" is written in a style of its own. ${instead}`;
  }
  const { body, credentials } = plan;
  if (body !== undefined && (body.kind !== "json" || body.properties === undefined))
    return `its body is ${body.kind === "json" ? "no plain object" : body.contentType}. ${instead}`;
  const renamed = body?.properties?.find(({ argument, property }) => argument !== property);
  if (renamed !== undefined) return `the property "${renamed.property}" of its body can't be the name of an argument. ${instead}`;
  if (credentials.some(({ place }) => place !== "header")) return `its credential isn't sent in a header. ${instead}`;
  return obstacleTo(plan.parametersSchema);
}

/** What operations send without the model's help. */
interface Sent {
  readonly base: string;
  readonly credentials: readonly SchemePlace[];
  readonly awaited: readonly string[];
}

const sentBy = ({ plan: { base, credentials, awaitedHeaders } }: PlannedOperation): Sent => ({
  base,
  credentials,
  awaited: awaitedHeaders,
});

/** The URL of most of them; credentials and headers only if all have the same. */
function sharedBy(operations: readonly PlannedOperation[]): Sent {
  const all = operations.map(sentBy);
  const bases = all.map(({ base }) => base);
  const count = (base: string): number => bases.filter((other) => other === base).length;
  const base = [...new Set(bases)].sort((one, other) => count(other) - count(one))[0] ?? "";
  const first = all[0];
  const isSame = (pick: (sent: Sent) => unknown): boolean =>
    all.every((sent) => JSON.stringify(pick(sent)) === JSON.stringify(first && pick(first)));
  return {
    base,
    credentials: isSame(({ credentials }) => credentials) ? (first?.credentials ?? []) : [],
    awaited: isSame(({ awaited }) => awaited) ? (first?.awaited ?? []) : [],
  };
}

const ownOf = (operation: PlannedOperation, shared: Sent): Sent => {
  const { base, credentials, awaited } = sentBy(operation);
  return {
    base: base === shared.base ? "" : base,
    credentials: shared.credentials.length > 0 ? [] : credentials,
    awaited: shared.awaited.length > 0 ? [] : awaited,
  };
};

function headersSource({ credentials, awaited }: Sent, prefix: string) {
  const lines: string[] = [];
  const imports = new Set<string>();
  const variables: string[] = [];
  const secretOf = (variable: string): string => {
    imports.add("secret");
    variables.push(variable);
    return `secret(${JSON.stringify(variable)})`;
  };
  for (const { scheme, name, form } of credentials) {
    const key = /^[a-z]\w*$/.test(name.toLowerCase()) ? name.toLowerCase() : JSON.stringify(name.toLowerCase());
    if (form === "bearer") {
      imports.add("bearer");
      lines.push(`${key}: bearer(${secretOf(`${prefix}_TOKEN`)})`);
    } else if (form === "basic") {
      imports.add("basic");
      variables.push(`${prefix}_USER`);
      lines.push(`${key}: basic(process.env.${prefix}_USER ?? "", ${secretOf(`${prefix}_PASSWORD`)})`);
    } else lines.push(`${key}: ${secretOf(`${prefix}_${variableName(scheme)}`)}`);
  }
  for (const name of awaited) lines.push(`${JSON.stringify(name)}: ${secretOf(variableName(`${prefix} ${name}`))}`);
  return { lines, imports: [...imports], variables };
}

function toolOf(
  operation: PlannedOperation,
  className: string,
  {
    baseClass,
    baseFile,
    shared,
    prefix,
  }: { readonly baseClass: string; readonly baseFile: string; readonly shared: Sent; readonly prefix: string },
): ToolToWrite {
  const { name, description, tags, plan } = operation;
  const own = ownOf(operation, shared);
  const headers = headersSource(own, prefix);
  const body = plan.body?.properties?.map(({ argument }) => argument) ?? [];
  const query = plan.parameters.filter(({ parameter }) => parameter.place === "query").map(({ argument }) => argument);
  const takesBody = plan.method === "POST" || plan.method === "PUT" || plan.method === "PATCH";
  const members = [
    `method: ${JSON.stringify(plan.method)}`,
    ...(own.base === "" ? [] : [`baseUrl: ${JSON.stringify(own.base)}`]),
    `url: ${JSON.stringify(plan.path)}`,
    // Elsewhere the method says where parameters go.
    ...(takesBody && query.length > 0 ? [`query: ${literal(query, "  ")}`] : []),
    ...(!takesBody && body.length > 0 ? [`body: ${literal(body, "  ")}`] : []),
    ...(headers.lines.length === 0 ? [] : [`headers: { ${headers.lines.join(", ")} }`]),
  ];
  const line = `@http({ ${members.join(", ")} })`;
  return {
    name,
    className,
    description,
    parametersSchema: withoutDefaults(plan.parametersSchema) as JsonSchema,
    base: baseClass,
    decorators: [
      ...(tags.length === 0 ? [] : [`@tags(${tags.map((tag) => JSON.stringify(tag)).join(", ")})`]),
      line.length <= 120 ? line : `@http({\n${members.map((member) => `  ${member},\n`).join("")}})`,
    ],
    body: "",
    imports: [
      `import { ${["http", ...headers.imports].sort(byLetters).join(", ")} } from "toolwright/http";`,
      `import { ${baseClass} } from "./${baseFile}.js";`,
    ],
    names: tags.length === 0 ? [] : ["tags"],
  };
}

/** Defaults are the service's: sent, they would overwrite what a PATCH leaves alone. */
function withoutDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDefaults);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      // A property may be named so; what it holds is a schema.
      if (keyword === "properties") return [[keyword, mapValues(value as object)]];
      return keyword === "default" ? [] : [[keyword, ["enum", "const", "examples"].includes(keyword) ? value : withoutDefaults(value)]];
    }),
  );
}

const mapValues = (schemas: object): object =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutDefaults(schema)]));
