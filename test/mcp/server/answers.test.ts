import { answeredBy, description, identifier, optional, required, returns, Tool } from "../../../src/index.js";
import { AskUserTool } from "../../../src/tools/index.js";
import { closeAll, connect, revisions, textOf } from "./support.js";

afterEach(closeAll);

class Booking {
  @required(Number, { minimum: 1 }) nights!: number;
  @required(Boolean) breakfast!: boolean;
  @optional({ enum: ["single", "double"], default: "single" }) room!: "single" | "double";
}

@identifier("book")
@description("Asks the user for a booking.")
@answeredBy("client")
@returns(Booking)
class BookTool extends Tool {
  @required(String) hotel!: string;
}

@identifier("nested")
@description("Asks for a list.")
@answeredBy("client")
@returns([String])
class ListTool extends Tool {}

describe.each(revisions)("a served tool that the client answers, in %s", (revision) => {
  it("asks the client's user, whose answer is the result", async () => {
    const shown: string[] = [];
    const { client } = await connect({ tools: [AskUserTool] }, revision, (message) => {
      shown.push(message);
      return { action: "accept", content: { answer: "Blue" } };
    });
    const result = await client.callTool({ name: "ask_user", arguments: { question: "Which colour?" } });
    expect(textOf(result)).toBe("Blue");
    expect(result.isError ?? false).toBe(false);
    expect(shown[0]).toContain('ask_user asks you:\nquestion: "Which colour?"');
  });

  it("has a form with the fields of the answer", async () => {
    const answer = { nights: 2, breakfast: true, room: "double" };
    const { client } = await connect({ tools: [BookTool] }, revision, () => ({ action: "accept", content: answer }));
    const result = await client.callTool({ name: "book", arguments: { hotel: "Ritz" } });
    expect(result.structuredContent).toEqual(answer);
  });

  it.each([
    ["declines", { action: "decline" as const }, "the person declined to answer"],
    ["cancels", { action: "cancel" as const }, "the person declined to answer"],
    ["gives what doesn't fit", { action: "accept" as const, content: { nights: 0, breakfast: true } }, "nights must be at least 1"],
  ])("fails for the model if the user %s", async (_, answer, message) => {
    const { client } = await connect({ tools: [BookTool] }, revision, () => answer);
    const result = await client.callTool({ name: "book", arguments: { hotel: "Ritz" } }).catch((error: Error) => ({
      isError: true,
      content: [{ type: "text", text: error.message }],
    }));
    expect(result.isError).toBe(true);
    if (answer.action !== "accept") expect(textOf(result)).toContain(message);
  });

  it("says which answers no form can have", async () => {
    const { client } = await connect({ tools: [ListTool] }, revision, () => ({ action: "accept", content: {} }));
    const result = await client.callTool({ name: "nested", arguments: {} });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("no form of an elicitation can have");
  });
});
