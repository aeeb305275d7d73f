/** A shop whose agent asks its user: `POST /chat` begins a run, `POST /answers` goes on with what the page answers. */
import { createServer, type Server } from "node:http";
import { Agent, answeredBy, category, description, identifier, model, required, returns, Tool, usesTools } from "toolwright";
import { ScriptedModel } from "toolwright/models";
import { AskUserTool } from "toolwright/tools";
import { agentHandler, decideHandler, MemoryRunStateStore, toNodeHandler } from "toolwright/web";

class Place {
  @required(Number, { minimum: -90, maximum: 90 }) latitude!: number;
  @required(Number, { minimum: -180, maximum: 180 }) longitude!: number;
}

@identifier("pick_place")
@description("Lets the user point at a place on the page's map. Use when a delivery needs one.")
@answeredBy("client")
@returns(Place)
class PickPlaceTool extends Tool {
  @required(String, "What the user should point at")
  title!: string;
}

@identifier("find_bikes")
@description("Finds the bikes in stock. Use before an order.")
@category("read")
class FindBikesTool extends Tool {
  call() {
    console.log("   (the server looks into its stock)");
    return ["red", "blue"];
  }
}

/** Plays a model, so that the example needs no key: one step that finds bikes and asks for two things, then the answer. */
const script = new ScriptedModel([
  {
    toolCalls: [
      { name: "find_bikes", arguments: {} },
      { name: "ask_user", arguments: { question: "Which colour?", choices: ["red", "blue"] } },
      { name: "pick_place", arguments: { title: "Where do we deliver?" } },
    ],
  },
  ({ messages }) => {
    const [bikes, colour, place] = messages.slice(-3).map(({ content }) => String(content));
    return `Of ${bikes} you chose ${colour}. It goes to ${place}.`;
  },
]);

@model(script)
@usesTools([FindBikesTool, AskUserTool, PickPlaceTool])
class ShopAgent extends Agent {}

/** An application compares the user of the request with the run's. */
const pausedRuns = { store: new MemoryRunStateStore(), authorise: () => true };
const settings = { agent: () => new ShopAgent(), pausedRuns, format: "json", onError: () => undefined } as const;
const chat = toNodeHandler(agentHandler(settings));
const answers = toNodeHandler(decideHandler(settings));

export async function serve(port: number): Promise<Server> {
  const server = createServer((request, response) => void (request.url === "/answers" ? answers : chat)(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}
