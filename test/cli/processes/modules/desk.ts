import { setTimeout } from "node:timers/promises";
import {
  Agent,
  answeredBy,
  description,
  identifier,
  model,
  required,
  requiresConfirmation,
  returns,
  Tool,
  usesTools,
} from "../../../../src/index.js";
import { type ChatModel, type ChatRequest, noUsage, ScriptedModel } from "../../../../src/models/index.js";

// The start of a module prints, as many do.
process.stdout.write("The desk opens.\n");

@identifier("greet")
@description("Greets a person. Use when someone comes in.")
export class GreetTool extends Tool {
  @required(String, "Who comes in")
  person!: string;

  call() {
    process.stdout.write("Somebody comes in.\n");
    return `Good day, ${this.person}.`;
  }
}

@identifier("refund")
@description("Refunds an order. Use when the customer wants the money back.")
@requiresConfirmation()
export class RefundTool extends Tool {
  @required(String, "The number of the order")
  order!: string;

  call() {
    return `Refunded ${this.order}.`;
  }
}

@identifier("ask_colour")
@description("Asks the customer for a colour. Use before an order.")
@answeredBy("client")
@returns(String)
export class AskColourTool extends Tool {}

@identifier("desk")
@model("embedded/keyword")
@usesTools([GreetTool, RefundTool])
export class DeskAgent extends Agent {}

/** Asks for a colour, and says which it was. */
@identifier("painter")
@model(
  new ScriptedModel([{ toolCalls: [{ name: "ask_colour" }] }, ({ messages }) => `Painted: ${JSON.stringify(messages.at(-1)?.content)}`]),
)
@usesTools([AskColourTool])
export class PainterAgent extends Agent {}

/** Streams the first words of its answer, and the others never, unless it is asked again. */
class Halting implements ChatModel {
  readonly id = "halting/model";
  #answers = 0;

  async generate({ onDelta, abortSignal }: ChatRequest) {
    this.#answers += 1;
    const begun = "Once upon a time ";
    onDelta?.({ type: "text", text: begun });
    // As a connection would, the timer keeps the process.
    if (this.#answers === 1) await setTimeout(60_000, undefined, { signal: abortSignal });
    const rest = "there was an end.";
    onDelta?.({ type: "text", text: rest });
    return { text: begun + rest, toolCalls: [], finishReason: "stop" as const, usage: noUsage };
  }
}

@identifier("teller")
@model(new Halting())
export class TellerAgent extends Agent {}
