import {
  Agent,
  access,
  category,
  createTool,
  description,
  effect,
  example,
  identifier,
  image,
  instructions,
  Integer,
  model,
  optional,
  required,
  requiresConfirmation,
  tags,
  timeout,
  Tool,
  type ToolContext,
  usesTools,
} from "toolwright";
import { AskUserTool } from "toolwright/tools";

class Address {
  @required(String, "The street with its number") street!: string;
  @optional(String, "The city") city?: string;
}

@identifier("get_weather")
@description("Gets the weather of a city. Use when the user asks about the weather.")
@category("read")
@tags("weather")
@example({ city: "Paris", unit: "celsius", daysAhead: 2 })
export class WeatherTool extends Tool {
  @required(String, { description: "The name of the city", minLength: 2 }) city!: string;
  @optional({ description: "The unit", enum: ["celsius", "fahrenheit"], default: "celsius" }) unit!: string;
  @optional(Integer, { description: "How many days ahead", minimum: 1, maximum: 10 }) daysAhead?: number;
  @optional(Boolean, { description: "Whether to add details" }) details?: boolean;
  @optional([String], { description: "What to leave out" }) without?: string[];
  @optional(Address, { description: "Where exactly" }) address?: Address;

  call({ log, progress }: ToolContext) {
    progress(0.5, "asking the station");
    log.info("The station answered.", { city: this.city });
    return { city: this.city, unit: this.unit, degrees: 21, sky: "sunny", in: this.daysAhead ?? 0 };
  }
}

@identifier("refund")
@description("Refunds an order. Use when the customer wants the money back.")
@requiresConfirmation()
@effect("once")
@tags("money")
export class RefundTool extends Tool {
  @required(String, "The number of the order") order!: string;
  @optional(Integer, { description: "The amount in euros", minimum: 1, default: 20 }) amount!: number;

  call({ userId }: ToolContext) {
    return `Refunded ${this.amount} euros of the order ${this.order} for ${userId ?? "a guest"}.`;
  }
}

@identifier("sales_report")
@description("Reports the sales of a month. Use when a manager asks about sales.")
@category("read")
@access({ roles: ["manager"] })
@tags("money")
export class SalesReportTool extends Tool {
  @required(Integer, { description: "The month", minimum: 1, maximum: 12 }) month!: number;

  call() {
    return { month: this.month, euros: 12_400 };
  }
}

@identifier("count_forever")
@description("Counts and never ends. Use to try the cancel button.")
@category("read")
@timeout(Number.POSITIVE_INFINITY)
export class CountForeverTool extends Tool {
  async call({ progress, abortSignal }: ToolContext) {
    for (let count = 0; !abortSignal.aborted; count += 1) {
      progress((count % 100) / 100, `counted to ${count}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

@identifier("large_result")
@description("Returns 50 megabytes. Use to try the limit of a result.")
@category("read")
export class LargeResultTool extends Tool {
  call() {
    return "A line of a large result.\n".repeat(2_000_000);
  }
}

@identifier("hostile_text")
@description("Returns markup and marks that change the direction of a text. Use to try how results are shown.")
@category("read")
export class HostileTextTool extends Tool {
  call() {
    return "<img src=x onerror=\"document.title='broken'\"> pay \u202ekcab em\u202c and a zero\u200bwidth space";
  }
}

/** A square of one colour. */
const square =
  "iVBORw0KGgoAAAANSUhEUgAAAGAAAABgCAIAAABt+uBvAAAApElEQVR4nO3QQQ0AIBDAsHOEIEwjCQd82aPJBCydtY8ezfeDeIAAAQIEKBwgQIAAAQoHCBAgQIDCAQIECBCgcIAAAQIEKBwgQIAAAQoHCBAgQIDCAQIECBCgcIAAAQIEKBwgQIAAAQoHCBAgQIDCAQIECBCgcIAAAQIEKBwgQIAAAQoHCBAgQIDCAQIECBCgcIAAAQIEKBwgQIAAAQoHCBAgQD+7zH2q0QGn8mEAAAAASUVORK5CYII=";

@identifier("draw_square")
@description("Draws a square. Use when the user wants a picture.")
@category("read")
export class DrawSquareTool extends Tool {
  call() {
    return image(square, "image/png");
  }
}

export const treeTool = createTool({
  name: "count_tree",
  description: "Counts the nodes of a tree. Use when the user describes a tree.",
  category: "read",
  inputSchema: {
    type: "object",
    properties: { tree: { $ref: "#/$defs/node" } },
    required: ["tree"],
    additionalProperties: false,
    $defs: {
      node: {
        type: "object",
        properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
        required: ["name"],
        additionalProperties: false,
      },
    },
  },
  execute: ({ tree }) => countNodes(tree as Node),
});

interface Node {
  readonly name: string;
  readonly children?: readonly Node[];
}

const countNodes = ({ children = [] }: Node): number => 1 + children.reduce((sum, child) => sum + countNodes(child), 0);

@identifier("shop_agent")
@description("A clerk of the shop.")
@model("embedded/keyword")
@instructions((context) => `You help ${context.userId ?? "a guest"} in a shop.`)
@usesTools([WeatherTool, RefundTool, SalesReportTool, DrawSquareTool])
export class ShopAgent extends Agent {}

@identifier("survey_agent")
@description("Asks the user.")
@model("embedded/keyword")
@usesTools([AskUserTool])
export class SurveyAgent extends Agent {}

@identifier("front_desk")
@description("Passes questions on to the clerk.")
@model("embedded/keyword")
@usesTools([ShopAgent])
export class FrontDesk extends Agent {}
