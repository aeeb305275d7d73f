import { Agent, createTool, identifier, instructions, model, usesTools } from "toolwright";
import { type ChatRequest, ScriptedModel } from "toolwright/models";

export const lookUpOrderTool = createTool({
  name: "look_up_order",
  description: "Looks up an order. Use when the user asks where one is.",
  category: "read",
  inputSchema: { type: "object", properties: { order: { type: "string" } }, required: ["order"], additionalProperties: false },
  execute: ({ order }) => ({ order, place: "in the post", days: 2 }),
});

/** Looks up each order that the prompt and the instructions name, and answers as briefly as the instructions want. */
function answerTo({ messages }: ChatRequest) {
  const last = messages.at(-1);
  if (last?.role === "tool") {
    const isBrief = JSON.stringify(messages[0]).includes("brief");
    const isDenied = "errorType" in last && last.errorType !== undefined;
    if (isDenied) return "I couldn't look up each order.";
    return isBrief ? "In the post." : "Your order is in the post, and will be there in two days.";
  }
  const orders = new Set(JSON.stringify(messages).match(/[A-Z]-\d+/g));
  return { toolCalls: [...orders].sort().map((order) => ({ name: "look_up_order", arguments: { order } })) };
}

@identifier("clerk_agent")
@model(new ScriptedModel(Array.from({ length: 1_000 }, () => answerTo)))
@instructions("You help in a shop.")
@usesTools([lookUpOrderTool])
export class ClerkAgent extends Agent {}
