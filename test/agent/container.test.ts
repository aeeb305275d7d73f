import { Service, Container as Typedi } from "typedi";
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

  it("is the one given to useContainer by default", async () => {
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

  it("is refused if it is none", async () => {
    @model(script())
    @usesTools([GreetTool])
    @usesContainer({} as Container)
    class WrongAgent extends Agent {}
    await expect(WrongAgent.generate("go")).rejects.toThrow(/WrongAgent: @usesContainer takes a container/);
  });
});

describe("an agent that typedi makes", () => {
  afterEach(() => useContainer(undefined));

  it("is rejected if all users would share it", async () => {
    @Service()
    @model(script())
    class SharedAgent extends Agent {}
    useContainer(Typedi);
    await expect(Typedi.get(SharedAgent).generate("go")).rejects.toThrow(
      /SharedAgent: the container has it registered as one instance for all.*@Service\(\{ transient: true \}\)/,
    );
  });

  it("runs if it is transient, or kept by a scope", async () => {
    @Service({ transient: true })
    @model(new ScriptedModel(["done"]))
    class FreshAgent extends Agent {}
    @Service()
    @model(new ScriptedModel(["done"]))
    class ScopedAgent extends Agent {}
    useContainer(Typedi);
    expect((await Typedi.get(FreshAgent).generate("go")).text).toBe("done");
    expect((await Typedi.of("request").get(ScopedAgent).generate("go")).text).toBe("done");
  });

  it("is rejected as a sub-agent if the container gives one twice", async () => {
    @description("Helps.")
    @model(new ScriptedModel(["one", "two"]))
    class HelperAgent extends Agent {
      constructor(readonly greeting: Greeting) {
        super();
      }
    }
    const once = new HelperAgent(new Greeting("Hello"));
    const ask = { toolCalls: [{ name: "helper_agent", arguments: { prompt: "Help." } }] };
    @model(new ScriptedModel([ask, ask, "done"]))
    @usesTools([HelperAgent])
    class MainAgent extends Agent {}
    const { steps } = await MainAgent.generate("go", { container: { get: () => once } });
    expect(steps.map(({ toolCalls }) => toolCalls[0]?.content)).toEqual([
      "one",
      expect.stringMatching(/HelperAgent: the container gave the same instance twice/),
      undefined,
    ]);
  });
});
