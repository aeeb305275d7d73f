import { type PlannedOperation, planOpenApi, type SchemePlace } from "../../http/internal.js";
import type { JsonSchema } from "../../schema/index.js";
import type { ImportedProject } from "./imported-project.js";
import { literal } from "./literal.js";
import { camelCase, distinct, kebabCase, pascalCase, variableName } from "./names.js";
import { indexSource, obstacleTo, type ToolToWrite, toolSource } from "./tool-source.js";

/** Writes a class that extends `HttpTool` for each operation of a document, and a base class with what they share. */
export async function openApiProject(
  file: string,
  options: { readonly include?: readonly string[]; readonly baseUrl?: string },
): Promise<ImportedProject> {
  const { name, made: operations, refused } = await planOpenApi(file, options);
  const leftOut = refused.map(({ operation, reason }) => ({ name: operation, reason }));
  const written: PlannedOperation[] = [];
  for (const operation of operations) {
    const reason = obstacle(operation);
    if (reason === undefined) written.push(operation);
    else leftOut.push({ name: operation.name, reason });
  }
  const shared = sharedBy(written);
  const prefix = variableName(name);
  const baseClass = `${pascalCase(name)}Tool`;
  const baseFile = `${kebabCase(name)}-tool`;
  const classNames = distinct([name, ...written.map((operation) => operation.name)], (text) => `${pascalCase(text)}Tool`).slice(1);
  const fileNames = distinct([`${name} tool`, "index", ...written.map((operation) => operation.name)], kebabCase).slice(2);
  const tools = written.map((operation, index) => ({
    file: fileNames[index] ?? "",
    className: classNames[index] ?? "",
    source: toolSource(toolOf(operation, classNames[index] ?? "", { baseClass, baseFile, shared, prefix })),
  }));
  const headers = headersSource(shared, prefix, "  ");
  const base = `import { ${["HttpTool", "http", ...headers.imports].sort(byName).join(", ")} } from "toolwright/http";

/** What all tools of this service share. */
@http({
  baseUrl: ${JSON.stringify(shared.base)},
${headers.lines.length === 0 ? "" : `  headers: {\n${headers.lines.map((line) => `    ${line},\n`).join("")}  },\n`}})
export abstract class ${baseClass} extends HttpTool {}
`;
  const variables = [
    ...new Set(
      [headers, ...written.map((operation) => headersSource(ownOf(operation, shared), prefix, "  "))].flatMap((one) => one.variables),
    ),
  ];
  return {
    name,
    files: {
      [`${baseFile}.ts`]: base,
      ...Object.fromEntries(tools.map(({ file: own, source }) => [`${own}.ts`, source])),
      "index.ts": indexSource(name, camelCase(name), tools),
    },
    tools: written.map((operation) => operation.name),
    variables,
    leftOut,
  };
}

const byName = (one: string, other: string): number => (one.toLowerCase() < other.toLowerCase() ? -1 : 1);

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

function headersSource({ credentials, awaited }: Sent, prefix: string, _indent: string) {
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
  { name, description, tags, plan }: PlannedOperation,
  className: string,
  {
    baseClass,
    baseFile,
    shared,
    prefix,
  }: { readonly baseClass: string; readonly baseFile: string; readonly shared: Sent; readonly prefix: string },
): ToolToWrite {
  const own = ownOf({ name, description, tags, plan }, shared);
  const headers = headersSource(own, prefix, "  ");
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
      `import { ${["http", ...headers.imports].sort(byName).join(", ")} } from "toolwright/http";`,
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
