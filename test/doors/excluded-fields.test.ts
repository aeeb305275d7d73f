import "reflect-metadata";
import { Exclude, Type } from "class-transformer";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { publicResponse } from "../../src/web/stream/public-response.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createTool, description, required, returns, Tool } from "../../src/tool/index.js";
import { doors } from "./doors.js";
import { closeAll, connect } from "../mcp/server/support.js";

afterEach(closeAll);

class Address {
  street = "Main Street";
  @Exclude() gateCode = "hidden-code";
}
class User {
  name = "Ann";
  @Exclude() password = "hidden-password";
  @Type(() => Address) address: object = { ...new Address() };
  addresses = new Map([["home", new Address()]]);
}

const FindUserTool = createTool({
  name: "find_user",
  description: "Finds a user.",
  inputSchema: { type: "object" },
  execute: () => ({ users: [new User()] }),
});

describe("a field that class-transformer excludes reaches no model", () => {
  it.each(doors)("through $name", async (door) => {
    const told = JSON.stringify(await door.run([FindUserTool], [{ tool: FindUserTool, arguments: {} }]));
    expect(told).toContain("Main Street");
    expect(told).not.toContain("hidden");
  });
});

it("nor the steps, the state and the messages of a run, nor what a page gets of them", async () => {
  @model(new ScriptedModel([{ toolCalls: [{ name: "find_user", arguments: {} }] }, "Done."]))
  @usesTools([FindUserTool])
  class Clerk extends Agent {}

  const clerk = new Clerk();
  const response = await clerk.generate("Find Ann.");
  expect(response.steps[0]?.toolCalls[0]?.data).toMatchObject({ users: [{ name: "Ann", address: { street: "Main Street" } }] });
  const kept = JSON.stringify([response, clerk.messages, publicResponse(response, true)]);
  expect(kept).not.toContain("hidden");
});

it("structured content of MCP fits the output schema that the server lists", async () => {
  class Employee {
    @required(String) name = "Ann";
    @Exclude() @required(String) password = "hidden-password";
  }
  @description("Finds an employee.")
  @returns(Employee)
  class EmployeeTool extends Tool {
    call(): Employee {
      return new Employee();
    }
  }
  const { client } = await connect({ tools: [EmployeeTool] });
  // The client checks the content against the schema, once it has listed the tools.
  const { tools } = await client.listTools();
  expect(tools[0]?.outputSchema?.properties).toEqual({ name: { type: "string" } });
  const { structuredContent } = await client.callTool({ name: EmployeeTool.identifier, arguments: {} });
  expect(structuredContent).toEqual({ name: "Ann" });
});
