import { setImmediate as turn } from "node:timers/promises";
import { Agent, approve, description, identifier, model, requiresConfirmation, Tool, useContainer, usesTools } from "../../src/index.js";
import { agentHandler } from "../../src/web/index.js";
import { createRegistry, createWorkspace, fromRegistry, useRegistry } from "../../src/registry/index.js";
import { ScriptedModel } from "../../src/testing/index.js";

const turns = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) await turn();
};

@identifier("who")
@description("Tells whose request it is.")
class WhoTool extends Tool {
  constructor(private readonly owner: string) {
    super();
  }

  call() {
    return this.owner;
  }
}

@identifier("ask_first")
@description("Tells whose request it is, after a person was asked.")
@requiresConfirmation()
class AskFirstTool extends WhoTool {}

const containerOf = (owner: string) => ({
  // Tools and guardrails are made with the owner of the request.
  get: (type: new (owner: string) => unknown) => new type(owner),
});

const call = (tool: string) => [{ toolCalls: [{ name: tool }] }, "Done."] as const;

/** A resolver that waits, each run another time: runs that began early go on late. */
let waits = 0;
const slowly = async () => {
  waits = (waits + 7) % 11;
  await turns(waits);
};

@model(() => new ScriptedModel(call("who")))
@usesTools(async () => {
  await slowly();
  return [WhoTool];
})
class WhoAgent extends Agent {}

const owners = Array.from({ length: 200 }, (_, index) => `request ${index}`);

/** Asks for everything at once, each after naming a container of its own. */
const forAll = <Result>(ask: (owner: string) => Promise<Result>): Promise<Result[]> =>
  Promise.all(
    owners.map((owner) => {
      useContainer(containerOf(owner));
      return ask(owner);
    }),
  );

afterEach(() => {
  useContainer(undefined);
  useRegistry(undefined);
});

describe("a container that is named for one request", () => {
  it("makes the tools of the run that is asked for next, though its resolver waits", async () => {
    const responses = await forAll(() => new WhoAgent().generate("Go"));
    expect(responses.map(({ steps }) => steps[0]?.toolCalls[0]?.data)).toEqual(owners);
  });

  it("makes the tools of a streamed run", async () => {
    const responses = await forAll(() => new WhoAgent().stream("Go").response);
    expect(responses.map(({ steps }) => steps[0]?.toolCalls[0]?.data)).toEqual(owners);
  });

  it("makes the tools of a run that is resumed", async () => {
    @model(() => new ScriptedModel(["Done."]))
    @usesTools(async () => {
      await slowly();
      return [AskFirstTool];
    })
    @identifier("asking_agent")
    class ResumedAgent extends Agent {}

    @model(() => new ScriptedModel(call("ask_first")))
    @usesTools([AskFirstTool])
    @identifier("asking_agent")
    class AskingAgent extends Agent {}

    const paused = await forAll(() => new AskingAgent().generate("Go"));
    const responses = await Promise.all(
      paused.map(({ state, confirmations = [] }, index) => {
        useContainer(containerOf(`resumption ${index}`));
        return new ResumedAgent().resume(state!, { decisions: [approve(confirmations[0]!)] });
      }),
    );
    expect(responses.map(({ steps }) => steps[0]?.toolCalls[0]?.data)).toEqual(owners.map((_, index) => `resumption ${index}`));
  });

  it("makes the tools of agents that the run calls", async () => {
    @model(() => new ScriptedModel([{ toolCalls: [{ name: "who" }] }, ({ messages }) => String(messages.at(-1)?.content)]))
    @description("Knows whose request it is.")
    @usesTools(async () => {
      await slowly();
      return [WhoTool];
    })
    class InnerAgent extends Agent {}

    @model(() => new ScriptedModel([{ toolCalls: [{ name: "inner_agent", arguments: { prompt: "Whose?" } }] }, "Done."]))
    @usesTools([InnerAgent])
    class OuterAgent extends Agent {}

    const responses = await forAll(() => new OuterAgent().generate("Go"));
    expect(responses.map(({ steps }) => steps[0]?.toolCalls[0]?.data)).toEqual(owners);
  });

  it("is not used by a run that was asked for before any was named", async () => {
    @model(() => new ScriptedModel(call("who")))
    @usesTools(async () => {
      await turns(3);
      return [WhoTool];
    })
    class EarlyAgent extends Agent {}

    const early = new EarlyAgent().generate("Go");
    useContainer(containerOf("somebody else"));
    await expect(early).rejects.toThrow(/WhoTool: its constructor wants 1 service, but there is no container/);
  });

  it("is used if the resolver itself names it", async () => {
    @model(() => new ScriptedModel(call("who")))
    @usesTools(() => {
      useContainer(containerOf("the resolver"));
      return [WhoTool];
    })
    class NamingAgent extends Agent {}

    const { steps } = await new NamingAgent().generate("Go");
    expect(steps[0]?.toolCalls[0]?.data).toBe("the resolver");
  });

  it.each(["before the handler", "by the handler's function agent"])("makes the tools of a run over the web, named %s", async (place) => {
    const handler = agentHandler({
      agent: (_, { prompt }) => {
        if (place !== "before the handler") useContainer(containerOf(String(prompt)));
        return new WhoAgent();
      },
      context: async () => {
        await slowly();
        return {};
      },
      format: "json",
    });
    const responses = await Promise.all(
      owners.map((owner) => {
        if (place === "before the handler") useContainer(containerOf(owner));
        const body = JSON.stringify({ prompt: owner });
        return handler(new Request("http://shop.example/chat", { method: "POST", headers: { "content-type": "application/json" }, body }));
      }),
    );
    const bodies = (await Promise.all(responses.map((response) => response.json()))) as {
      readonly steps: readonly { readonly toolCalls: readonly { readonly data: unknown }[] }[];
    }[];
    expect(bodies.map(({ steps }) => steps[0]?.toolCalls[0]?.data)).toEqual(owners);
  });
});

it("a registry that is named for one request gives the tools of the run that is asked for next", async () => {
  const registryOf = (owner: string) => {
    @identifier("who")
    @description("Tells whose request it is.")
    class OwnTool extends Tool {
      call() {
        return owner;
      }
    }
    return createRegistry({ project: createWorkspace().addTool(OwnTool).build() });
  };

  const choose = fromRegistry("who");

  @model(() => new ScriptedModel(call("who")))
  class RegistryAgent extends Agent {
    override async tools() {
      return choose();
    }
  }

  @model(() => new ScriptedModel([{ toolCalls: [{ name: "inner", arguments: { prompt: "Whose?" } }] }, "Done."]))
  @usesTools(async () => {
    await slowly();
    return [Inner];
  })
  class OuterAgent extends Agent {}

  @identifier("inner")
  @description("Knows whose request it is.")
  @model(() => new ScriptedModel([{ toolCalls: [{ name: "who" }] }, ({ messages }) => String(messages.at(-1)?.content)]))
  class Inner extends RegistryAgent {}

  const few = owners.slice(0, 20);
  const responses = await Promise.all(
    few.map((owner) => {
      useRegistry(registryOf(owner));
      return new OuterAgent().generate("Go");
    }),
  );
  expect(responses.map(({ steps }) => steps[0]?.toolCalls[0]?.data)).toEqual(few);
});
