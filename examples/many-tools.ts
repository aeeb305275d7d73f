/**
 * An agent with 5,000 tools of a service, of which the model sees one: it finds the others by a search. What a request holds is
 * as small as with a few tools. The embedded model searches if no tool fits; a language model decides by itself.
 */
import {
  Agent,
  type AgentListener,
  createTool,
  deferred,
  description,
  identifier,
  model,
  type ToolClass,
  Tool,
  usesTools,
} from "toolwright";

@identifier("list_orders")
@description("Lists the orders of the user. Use when the user asks what they ordered.")
class ListOrdersTool extends Tool {
  call() {
    return "A-17";
  }
}

const verbs = ["create", "archive", "rename", "publish", "delete"];
const things = ["invoice", "newsletter", "contract", "webinar", "survey", "voucher", "shipment", "campaign", "ticket", "playlist"];

/** Ten kinds of things in a hundred departments, with five operations each, as an OpenAPI document or an MCP server would give them. */
const service: ToolClass[] = Array.from({ length: 100 }, (_, department) =>
  things.flatMap((thing) =>
    verbs.map((verb) =>
      createTool({
        name: `${verb}_${thing}_${department + 1}`,
        description: `${verb}s a ${thing} of department ${department + 1}. Use when the user asks for it.`,
        inputSchema: {
          type: "object",
          properties: { title: { type: "string", description: `The title of the ${thing}` } },
          required: ["title"],
        },
        execute: ({ title }) => `${verb} ${thing} of department ${department + 1}: ${String(title)}`,
      }),
    ),
  ),
).flat();

@model("embedded/keyword")
@usesTools([ListOrdersTool, deferred({ name: "service", tools: service }, "Invoices, contracts, campaigns and more, by department")])
class OfficeAgent extends Agent {}

const listener: AgentListener = {
  modelStarted: ({ request: { tools } }) => console.log(`  request with ${tools.length} tools, ${JSON.stringify(tools).length} characters`),
  toolFinished: ({ tool }) => console.log(`  called ${tool}`),
};

async function ask(question: string) {
  console.log(question);
  const { text } = await OfficeAgent.generate(question, { listeners: [listener] });
  console.log(`  ${text}`);
}

console.log(`There are ${service.length} deferred tools.`);
await ask("What did I order?");
await ask('Please archive the contract "Rent" of department 42');
