import { Agent, type Container, description, model, required, Tool, useContainer, usesContainer, usesTools } from "../../src/index.js";
import { ScriptedModel } from "../../src/testing/index.js";

class Greeting {
  constructor(readonly word: string) {}
}

@description("Greets someone.")
class GreetTool extends Tool {
  @required(String) name!: string;

  constructor(private readonly greeting: Greeting) {
    super();
  }

  call() {
    return `${this.greeting.word}, ${this.name}!`;
  }
}

const containerOf = (word: string): Container => ({ get: () => new GreetTool(new Greeting(word)) });
const greet = { toolCalls: [{ name: "greet_tool", arguments: { name: "Ada" } }] };
const script = () => new ScriptedModel([greet, "done"]);

describe("the container that makes an agent's tools", () => {
  beforeAll(() => useContainer(containerOf("Hello")));
  afterAll(() => useContainer(undefined));

  it("is the one given to useContainer where nobody says otherwise", async () => {
    @model(script())
    @usesTools([GreetTool])
    class PlainAgent extends Agent {}
    expect((await PlainAgent.generate("go")).steps[0]?.toolCalls[0]?.data).toBe("Hello, Ada!");
  });

  it("is the agent's own by @usesContainer", async () => {
    @model(script())
    @usesTools([GreetTool])
    @usesContainer(containerOf("Moin"))
    class NorthernAgent extends Agent {}
    expect((await NorthernAgent.generate("go")).steps[0]?.toolCalls[0]?.data).toBe("Moin, Ada!");
  });

  it("is the run's own by generate's option, before both", async () => {
    @model(script())
    @usesTools([GreetTool])
    @usesContainer(containerOf("Moin"))
    class NorthernAgent extends Agent {}
    const response = await NorthernAgent.generate("go", { container: containerOf("Servus") });
    expect(response.steps[0]?.toolCalls[0]?.data).toBe("Servus, Ada!");
  });

  it("is refused where it is none", async () => {
    @model(script())
    @usesTools([GreetTool])
    @usesContainer({} as Container)
    class WrongAgent extends Agent {}
    await expect(WrongAgent.generate("go")).rejects.toThrow(/WrongAgent: @usesContainer takes a container/);
  });
});
