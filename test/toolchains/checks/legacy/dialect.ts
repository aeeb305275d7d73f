import assert from "node:assert/strict";
import { Transform, Type } from "class-transformer";
import { IsInt, IsString, Min, ValidateNested } from "class-validator";
import { description, identifier, input, optional, required, Tool, type ToolClass, type ToolContext } from "toolwright";
import { ToolExecutor } from "toolwright/execution";
import { invokeTool } from "toolwright/testing";
import { Container, Service } from "typedi";
import { type Check, refusalOf } from "./check.js";

declare module "toolwright" {
  interface ToolContext {
    tenant?: string;
  }
}

@Service()
class Stations {
  temperature(city: string) {
    return `${city}: 21`;
  }
}

@description("Gets the temperature in a city. Use when the user asks how warm it is.")
@identifier("temperature_tool")
class TemperatureTool extends Tool {
  @required(String)
  city!: string;

  constructor(private readonly stations: Stations) {
    super();
  }

  call() {
    return this.stations.temperature(this.city);
  }
}

@description("Repeats a text. Use in tests.")
@identifier("echo_tool")
class EchoTool extends Tool {
  @required("What to repeat")
  text!: string;

  @optional()
  times?: number;

  call() {
    return this.text.repeat(this.times ?? 1);
  }
}

@description("Adds two numbers. Use for sums.")
@identifier("add_tool")
class AddTool extends Tool {
  call(@required("left", Number) left: number, @optional("right", Number, { default: 1 }) right: number, context: ToolContext) {
    return [left + right, context.attempt, context.tenant];
  }
}

class Line {
  @IsInt()
  @Min(1)
  quantity!: number;
}

class Order {
  @IsString()
  @Transform(({ value }) => String(value).trim())
  customer!: string;

  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];
}

@description("Creates an order. Use when the user orders.")
@identifier("order_tool")
class OrderTool extends Tool {
  @input(Order)
  order!: Order;

  call() {
    return [this.order.customer, this.order.lines.every((line) => line instanceof Line)];
  }
}

/** What depends on legacy decorators, or on the types that some compilers emit with them. */
export const dialectChecks: readonly Check[] = [
  {
    title: "Injection by constructor (typedi)",
    run: () =>
      refusalOf(async () => {
        const executor = new ToolExecutor({ tools: [TemperatureTool], container: Container });
        assert.equal(await executor.run("temperature_tool", { city: "Paris" }), "Paris: 21");
      }, TemperatureTool.name),
  },
  {
    title: "Types left out",
    run: () =>
      refusalOf(
        async () => {
          assert.equal(await invokeTool(EchoTool, { text: "a", times: 2 }), "aa");
        },
        `${EchoTool.name}.text`,
        "@required(String",
      ),
  },
  {
    title: "Decorated parameters of call",
    async run() {
      assert.deepEqual(await invokeTool(AddTool, { left: 2 }, { context: { tenant: "acme" } }), [3, 1, "acme"]);
      return undefined;
    },
  },
  {
    title: "DTOs with @Type and @Transform",
    async run() {
      const orders: ToolClass = OrderTool;
      assert.deepEqual(await invokeTool(orders, { customer: " Ada ", lines: [{ quantity: 1 }] }), ["Ada", true]);
      await assert.rejects(async () => invokeTool(orders, { customer: "Ada", lines: [{ quantity: 0 }] }), /lines\[0\]\.quantity/);
      return undefined;
    },
  },
];
