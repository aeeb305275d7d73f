import { Agent, AgentDefinitionError, model, usesTools } from "../../src/agent/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { description, Tool } from "../../src/tool/index.js";

@description("Pings.")
class PingTool extends Tool {
  call(): string {
    return "pong";
  }
}

/** Agents as plain JavaScript may write them. */
const AnyAgent = Agent as unknown as new () => { generate(prompt: string): Promise<unknown>; resume(state: object): Promise<unknown> };

const asked = (agentClass: typeof AnyAgent): Promise<unknown> => {
  model(new ScriptedModel([{ text: "Done." }]))(agentClass as never);
  return new agentClass().generate("Go");
};

const sayTools = "Write @usesTools([MyTool]) above the class, or override the method: tools(context) { return [MyTool]; }.";

it.each([
  [
    "a static list of tools",
    class A extends AnyAgent {
      static tools: unknown = [PingTool];
    },
    `A: static tools is not read. ${sayTools}`,
  ],
  [
    "a list of tools as a field",
    class A extends AnyAgent {
      tools = [PingTool];
    },
    `A.tools: it must be a method, got an array. ${sayTools}`,
  ],
  [
    "a getter of tools",
    class A extends AnyAgent {
      get tools() {
        return [PingTool];
      }
    },
    `A.tools: it must be a method, got an array. ${sayTools}`,
  ],
  [
    "tools that are undefined",
    class A extends AnyAgent {
      tools = undefined;
    },
    `A.tools: it must be a method, got undefined. ${sayTools}`,
  ],
  [
    "prepareStep as an object",
    class A extends AnyAgent {
      prepareStep = {};
    },
    "A.prepareStep: it must be a method, got an object.",
  ],
  [
    "a static definition",
    class A extends AnyAgent {
      static definition: unknown = {};
    },
    "A: static definition hides the one that Agent derives",
  ],
  [
    "a static identifier",
    class A extends AnyAgent {
      static identifier = "a";
    },
    'Write @identifier("...") above the class.',
  ],
  [
    "messages as a field",
    class A extends AnyAgent {
      messages = [];
    },
    "A.messages: the field hides messages of Agent",
  ],
])("%s is an error that names the member and the fix", async (_, agentClass, message) => {
  const running = asked(agentClass);
  await expect(running).rejects.toThrow(AgentDefinitionError);
  await expect(running).rejects.toThrow(message);
});

it.each([
  [
    "a static list that the resolver reads",
    () => {
      class A extends AnyAgent {
        static tools = [PingTool];
      }
      usesTools(() => A.tools)(A as never);
      return A;
    },
  ],
  [
    "a static list that the method reads",
    () =>
      class A extends AnyAgent {
        static tools = [PingTool];
        tools() {
          return A.tools;
        }
      },
  ],
  [
    "an arrow function",
    () =>
      class A extends AnyAgent {
        tools = () => [PingTool];
      },
  ],
])("tools by %s are accepted", async (_, make) => {
  await expect(asked(make() as typeof AnyAgent)).resolves.toMatchObject({ text: "Done." });
});
