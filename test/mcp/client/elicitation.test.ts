import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRunScope, ToolExecutor } from "../../../src/execution/index.js";
import { description, requiresConfirmation, Tool, type ToolListener, type ToolResult } from "../../../src/index.js";
import { type McpElicitation, type McpToolbox, serveMcp } from "../../../src/mcp/index.js";
import { atEnd, endAll, hostile, newFile, open } from "./support.js";

afterEach(endAll);

const call = (box: McpToolbox, name: string, userId = "ada", listeners: ToolListener[] = []) =>
  new ToolExecutor({ tools: box.tools, listeners }).call(
    { id: "call_1", name: `box_${name}`, arguments: {} },
    createRunScope({ toolContext: { userId } }),
  );

const outcomeOf = (result: ToolResult): unknown => result.error ?? result.data;

describe("a server that asks the user amid a call", () => {
  it("is answered by what the application gives, in revision 2026-07-28", async () => {
    const asked: McpElicitation[] = [];
    const box = await open(hostile("modern"), {
      onElicitation: (elicitation) => {
        asked.push(elicitation);
        return { name: "Ada" };
      },
    });
    expect(outcomeOf(await call(box, "ask"))).toBe(
      JSON.stringify({ inputResponses: { name: { action: "accept", content: { name: "Ada" } } }, requestState: "as it was" }),
    );
    expect(asked).toMatchObject([
      {
        message: "Your name?",
        requestedSchema: { type: "object", properties: { name: { type: "string", title: "Name" } } },
        call: { tool: "box_ask", context: { userId: "ada" } },
      },
    ]);
  });

  it("is answered in the revisions before it as well", async () => {
    const asked: McpElicitation[] = [];
    const box = await open(hostile("calls"), {
      onElicitation: async (elicitation) => {
        asked.push(elicitation);
        return { name: "Ada" };
      },
    });
    expect(outcomeOf(await call(box, "elicit_and_wait"))).toBe('{"action":"accept","content":{"name":"Ada"}}');
    expect(asked).toMatchObject([{ message: "Your name?", call: { tool: "box_elicit_and_wait", context: { userId: "ada" } } }]);
  });

  it("receives the action decline if the user doesn't want to answer", async () => {
    const box = await open(hostile("calls"), { onElicitation: () => undefined });
    expect(outcomeOf(await call(box, "elicit_and_wait"))).toBe('{"action":"decline"}');
  });

  it("receives only the action cancel if the application throws, and the log has the error", async () => {
    const told: string[] = [];
    const listener: ToolListener = { log: ({ message }) => void told.push(message) };
    const box = await open(hostile("calls"), {
      onElicitation: () => {
        throw new Error("the socket of the user is closed");
      },
    });
    expect(outcomeOf(await call(box, "elicit_and_wait", "ada", [listener]))).toBe('{"action":"cancel"}');
    expect(told).toEqual([
      expect.stringContaining("A question of box_elicit_and_wait couldn't be put: Error: the socket of the user is closed"),
    ]);
  });

  it("doesn't name the call it means before 2026-07-28: if several are under way, the application receives none", async () => {
    const asked: McpElicitation[] = [];
    const box = await open(hostile("calls"), {
      onElicitation: (elicitation) => {
        asked.push(elicitation);
        return undefined;
      },
    });
    const hanging = call(box, "hang", "bob");
    expect(outcomeOf(await call(box, "elicit_and_wait"))).toBe('{"action":"decline"}');
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toHaveProperty("call");
    await box.close();
    await hanging;
  });

  it("receives the action cancel if no call is under way, and the user isn't asked", async () => {
    const notes = newFile();
    const asked = jest.fn();
    const box = await open(hostile("calls", notes), { onElicitation: asked });
    expect(outcomeOf(await call(box, "elicit_late"))).toBe("over");
    writeFileSync(`${notes}.over`, "");
    while (!existsSync(notes) || statSync(notes).size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(readFileSync(notes, "utf8")).toBe('{"action":"cancel"}');
    expect(asked).not.toHaveBeenCalled();
  });

  it.each([
    ["ask_by_page", "wants the user to open a page first, which isn't offered here: Log in first. Tell the user."],
    ["ask_nonsense", "wants something amid the call that isn't offered here (a model, a folder, or what can't be read). Tell the user."],
    ["ask_a_model", "wants something amid the call that isn't offered here (a model, a folder, or what can't be read). Tell the user."],
    ["ask_for_ever", "asked 10 times during one call, and didn't finish. Tell the user."],
  ])("fails the call if it wants more than forms, or no end (%s)", async (name, reason) => {
    const box = await open(hostile("modern"), { onElicitation: () => ({ name: "Ada" }) });
    expect(outcomeOf(await call(box, name))).toBe(`The MCP server "box" ${reason}`);
  });

  it("may put a call off without a question: it is made again", async () => {
    expect(outcomeOf(await call(await open(hostile("modern")), "put_off"))).toBe("after later");
  });
});

@description("Deletes all.")
@requiresConfirmation()
class DeleteTool extends Tool {
  call() {
    return "deleted";
  }
}

describe("a tool of serveMcp that a person confirms", () => {
  const served = async (onElicitation?: (elicitation: McpElicitation) => { approve: boolean } | undefined) => {
    const serving = await serveMcp({ name: "own", version: "1.0.0", tools: [DeleteTool], transport: { port: 0 } });
    atEnd(() => serving.close());
    return open({ url: serving.url ?? "" }, onElicitation === undefined ? {} : { onElicitation });
  };

  it("is confirmed by the user of mcpToolbox, who sees what the server shows", async () => {
    const shown: string[] = [];
    const box = await served(({ message }) => {
      shown.push(message);
      return { approve: true };
    });
    expect(outcomeOf(await call(box, "delete_tool"))).toBe("deleted");
    expect(shown).toEqual([expect.stringMatching(/^Run delete_tool\?\nDeletes all\./)]);
  });

  it.each([[undefined], [{ approve: false }]])("doesn't run if they give %j", async (answer) => {
    expect(outcomeOf(await call(await served(() => answer), "delete_tool"))).toMatch(/denied|declined|not run/i);
  });

  it("reports that this client can't ask if onElicitation isn't given", async () => {
    expect(outcomeOf(await call(await served(), "delete_tool"))).toContain(
      "needs a person's confirmation, and this client can't ask for one",
    );
  });
});
