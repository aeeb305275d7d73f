import assert from "node:assert/strict";
import { Transform } from "class-transformer";
import { description, identifier, required, Tool } from "toolwright";
import { ToolExecutor } from "toolwright/execution";
import { invokeTool } from "toolwright/testing";
import { Container, Service } from "typedi";
import { type Check, refusalOf } from "./check.js";

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
  // @ts-expect-error: TypeScript refuses it too, because standard decorators see no types
  @required("What to repeat")
  text!: string;

  call() {
    return this.text;
  }
}

// @ts-expect-error: TypeScript refuses it too, because standard decorators have no parameters of call
@description("Adds two numbers. Use for sums.")
@identifier("add_tool")
class AddTool extends Tool {
  call(left: number, right: number) {
    return left + right;
  }
}

/** class-transformer's own error: its decorators know legacy ones only. */
function declareOrder(): Error {
  try {
    class Order {
      // @ts-expect-error: TypeScript refuses it too
      @Transform(({ value }) => String(value).trim())
      customer!: string;
    }
    throw new assert.AssertionError({ message: `${Order.name} takes the decorator of class-transformer` });
  } catch (error) {
    if (error instanceof TypeError) return error;
    throw error;
  }
}

/** What standard decorators can't do, and how the library says so. */
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
    run: () => refusalOf(() => invokeTool(EchoTool, { text: "a" }), `${EchoTool.name}.text`, "@required(String"),
  },
  {
    title: "Decorated parameters of call",
    run: () => refusalOf(() => invokeTool(AddTool, { left: 2, right: 1 }), AddTool.name, "call"),
  },
  {
    title: "DTOs with @Type and @Transform",
    run: () => declareOrder().message,
  },
];
