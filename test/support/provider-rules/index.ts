import type { ProviderTools } from "../../../src/models/provider-tools/index.js";
import type { ProviderDialect } from "../../../src/schema/internal.js";
import { anthropicFaults, bedrockFaults } from "./anthropic.js";
import { geminiFaults } from "./gemini.js";
import { openAiFaults } from "./openai.js";
import { badReferences, isSchema, type Schema } from "./schema-walk.js";

const legalName = /^[a-zA-Z0-9_-]{1,64}$/;

/** Mistral's `parameters` are required; it reads JSON Schema. */
function mistralFaults({ function: { name, parameters } }: ProviderTools["mistral"][number]): string[] {
  return [
    ...(legalName.test(name) ? [] : [`the name ${name}`]),
    ...(parameters.type === "object" ? [] : ["# is no object"]),
    ...badReferences(parameters),
  ];
}

/** `Tool` of ollama-js; a list of types is refused by older servers. */
function ollamaFaults({ function: { name, parameters } }: ProviderTools["ollama"][number]): string[] {
  const faults = name === "" ? ["no name"] : [];
  const others = Object.keys(parameters).filter((key) => !["type", "properties", "required"].includes(key));
  faults.push(...others.map((key) => `# has ${key}`));
  if (parameters.type !== "object" || !isSchema(parameters.properties)) faults.push("# is no object with properties");
  for (const [property, schema] of Object.entries(parameters.properties as Schema)) {
    if (!isSchema(schema)) faults.push(`${property} is ${schema}`);
    else if (schema.type !== undefined && typeof schema.type !== "string") faults.push(`${property} has a list of types`);
    faults.push(
      ...Object.keys(schema)
        .filter((key) => !["type", "items", "description", "enum"].includes(key))
        .map((key) => `${property} has ${key}`),
    );
  }
  return faults;
}

/** Why each provider refuses a tool, by its documented rules. */
const checks: { readonly [Dialect in ProviderDialect]: (tool: ProviderTools[Dialect][number]) => string[] } = {
  "openai-chat": (tool) => openAiFaults(tool.function),
  "openai-responses": openAiFaults,
  anthropic: anthropicFaults,
  gemini: ({ functionDeclarations }) => functionDeclarations.flatMap(geminiFaults),
  bedrock: bedrockFaults,
  mistral: mistralFaults,
  ollama: ollamaFaults,
};

/** All that is wrong with some tools by a provider's rules. Two tools of one name are wrong with every provider. */
export function providerFaults<Dialect extends ProviderDialect>(tools: ProviderTools[Dialect], dialect: Dialect): string[] {
  // The compiler can't tell that the check at a key takes the tools of that key.
  const check = checks[dialect] as (tool: unknown) => string[];
  const names = namesOf(tools, dialect);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [...(tools as readonly unknown[]).flatMap((tool, index) => check(tool).map((fault) => `${names[index]}: ${fault}`)), ...twice];
}

/** The names of tools on the wire. */
export function namesOf(tools: ProviderTools[ProviderDialect], dialect: ProviderDialect): string[] {
  return (tools as any[]).flatMap((tool) => {
    if (dialect === "gemini") return tool.functionDeclarations.map(({ name }: { name: string }) => name);
    return [(tool.function ?? tool.toolSpec ?? tool).name];
  });
}
