import { Integer } from "../../src/schema/index.js";
import {
  description,
  identifier,
  optional,
  required,
  access,
  requiresConfirmation,
  Tool,
  type ToolContext,
  timeout,
} from "../../src/tool/index.js";

/** What happened to tools, for tests to look at. */
export const happened: string[] = [];

@identifier("weather/now")
@description("Tells the weather of some days. Use when the user asks about weather.")
export class WeatherTool extends Tool {
  @required(String) city!: string;
  @optional(Integer, { minimum: 1, maximum: 7, default: 1 }) days!: number;

  call({ runId, callId, userId }: ToolContext) {
    happened.push([runId, callId, userId].join(" "));
    if (this.city === "Atlantis") throw new Error("No station under water, at https://root:hunter2@station.example.");
    return { city: this.city, days: this.days, sky: "sunny" };
  }
}

@identifier("wait")
@description("Waits for ever. Use never.")
@timeout(40)
export class WaitTool extends Tool {
  async call({ abortSignal }: ToolContext) {
    happened.push("waiting");
    await new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
    happened.push(`told to stop: ${(abortSignal.reason as Error).name}`);
  }
}

@identifier("wait_long")
@description("Waits for ever, and has a minute for it. Use never.")
@timeout(60_000)
export class LongWaitTool extends WaitTool {}

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
@requiresConfirmation(({ amount }) => Number(amount) > 100)
export class RefundTool extends Tool {
  @required(String) order!: string;
  @required(Integer) amount!: number;

  call() {
    happened.push(`refunded ${this.amount} for ${this.order}`);
    return `Refunded ${this.amount}.`;
  }
}

@identifier("audit")
@description("Shows the audit log. Use when an auditor asks.")
@access({ roles: ["auditor"] })
export class AuditTool extends Tool {
  call() {
    return "Nothing happened.";
  }
}
