import { AgentFactory, ToolwrightModule } from "../../src/nest/index.js";
import { answer } from "../../src/confirmation/index.js";
import type { RunState } from "../../src/loop/index.js";
import { identifier } from "../../src/tool/index.js";
import { AskUserTool } from "../../src/tools/index.js";
import { boot, closeApplications, scriptedAgent } from "./support.js";

afterEach(closeApplications);

@identifier("asking")
class AskingAgent extends scriptedAgent(
  [AskUserTool],
  [
    (request) => {
      const last = request.messages.at(-1);
      return last?.role === "tool"
        ? `You said ${String(last.content)}.`
        : { toolCalls: [{ name: "ask_user", arguments: { question: "Which?" } }] };
    },
  ],
) {}

it("an agent of a Nest application asks its user, and goes on with the answer", async () => {
  const application = await boot({ imports: [ToolwrightModule.forFeature({ tools: [AskUserTool], agents: [AskingAgent] })] });
  const factory = application.get(AgentFactory, { strict: false });
  const first = await (await factory.create(AskingAgent)).generate("Go");
  expect(first).toMatchObject({ reason: "awaiting_answer", questions: [{ tool: "ask_user" }] });
  const decisions = [answer(first.questions![0]!, "Blue")];
  const response = await (await factory.create(AskingAgent)).resume(first.state as RunState, { decisions });
  expect(response.text).toBe("You said Blue.");
});
