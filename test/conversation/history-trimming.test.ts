import fc from "fast-check";
import { Conversation } from "../../src/conversation/conversation.js";
import { checkHistoryLimits } from "../../src/agent/agent-definition.js";
import { estimateTokens } from "../../src/conversation/message-tokens.js";
import { Agent, history, instructions, model } from "../../src/agent/index.js";
import { type HistoryLimits, trimHistory } from "../../src/conversation/index.js";
import { type Message, noUsage, ScriptedModel } from "../../src/models/index.js";
import { settingOf } from "../../src/tool/internal.js";
import { isPaired } from "../support/paired.js";

const user = (content: string): Message => ({ role: "user", content });
const assistant = (content: string): Message => ({ role: "assistant", content });
const step = (id: string, result: string): Message[] => [
  { role: "assistant", content: "", toolCalls: [{ id, name: "search", arguments: "{}" }] },
  { role: "tool", toolCallId: id, toolName: "search", content: result },
];
const system: Message = { role: "system", content: "You help." };

/** Turns that say their number and take ten tokens: 20 characters each from user and assistant. */
const turns = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => [user(`${index}`.padEnd(20, ".")), assistant(`${index}`.padEnd(20, "."))]).flat();

const numbersIn = (messages: readonly Message[]): number[] =>
  messages.filter(({ role }) => role === "user").map(({ content }) => Number.parseInt(content as string, 10));

describe("trimHistory", () => {
  it("leaves a history as it is that is within its limits", () => {
    expect(trimHistory(turns(3), { maxTurns: 3, maxTokens: 30 })).toEqual(turns(3));
  });

  it("keeps the last turns, and cuts down to two thirds so that the beginning stays the same for a while", () => {
    const kept = Array.from({ length: 9 }, (_, index) => numbersIn(trimHistory(turns(index + 1), { maxTurns: 6 })));
    expect(kept.slice(5)).toEqual([
      [0, 1, 2, 3, 4, 5],
      [3, 4, 5, 6],
      [3, 4, 5, 6, 7],
      [3, 4, 5, 6, 7, 8],
    ]);
  });

  it("counts tokens as a quarter of the characters", () => {
    expect(numbersIn(trimHistory(turns(4), { maxTokens: 30 }))).toEqual([2, 3]);
  });

  it("keeps the system message, which counts", () => {
    const messages = [system, ...turns(3)];
    expect(trimHistory(messages, { maxTokens: 30 })).toEqual([system, ...messages.slice(-2)]);
  });

  it("keeps the last turn whole, whatever its size, with every step in it", () => {
    const last = [user("x".repeat(1_000)), ...step("a", "y".repeat(1_000)), ...step("b", "z"), assistant("done")];
    expect(trimHistory([...turns(3), ...last], { maxTokens: 1 })).toEqual(last);
    expect(trimHistory([...turns(3), ...last], { maxTurns: 1 })).toEqual(last);
  });

  it("counts as the application says, once for each message", () => {
    const countTokens = jest.fn(() => 100);
    expect(numbersIn(trimHistory(turns(3), { maxTokens: 500, countTokens }))).toEqual([2]);
    expect(countTokens).toHaveBeenCalledTimes(6);
  });

  it("estimates, with a warning, if the application's count is none", () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const broken = () => {
      throw new Error("no tokenizer");
    };
    expect(numbersIn(trimHistory(turns(4), { maxTokens: 30, countTokens: broken }))).toEqual([2, 3]);
    expect(numbersIn(trimHistory(turns(4), { maxTokens: 30, countTokens: () => Number.NaN }))).toEqual([2, 3]);
    const warnings = warn.mock.calls.map(([warning]) => String(warning));
    warn.mockRestore();
    expect(warnings[0]).toBe(
      "countTokens of @history threw: Error: no tokenizer. It must give a number of tokens; they are estimated now.",
    );
    expect(warnings.at(-1)).toContain("countTokens of @history gave NaN.");
  });

  it("estimates images and files by a constant, and counts what an assistant wrote besides text", () => {
    const image = { type: "image", mediaType: "image/png", data: "A".repeat(100_000) } as const;
    expect(estimateTokens({ role: "user", content: [{ type: "text", text: "12345678" }, image, image] })).toBe(3_002);
    const [call] = step("a", "") as [Message];
    expect(estimateTokens({ ...call, reasoning: "12345678" } as Message)).toBe(4);
  });
});

/** Histories in order, also such that begin without a user or have users speak twice. */
const messagesArbitrary = fc
  .array(
    fc.oneof(
      fc.record({ kind: fc.constantFrom("user", "assistant"), size: fc.nat(200) }),
      fc.record({ kind: fc.constant("step"), size: fc.nat(200), calls: fc.integer({ min: 1, max: 3 }) }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) =>
    pieces.flatMap((piece, index): Message[] => {
      const content = "x".repeat(piece.size);
      if (!("calls" in piece)) return [piece.kind === "user" ? user(content) : assistant(content)];
      const ids = Array.from({ length: piece.calls }, (_, call) => `${index}_${call}`);
      return [
        { role: "assistant", content: "", toolCalls: ids.map((id) => ({ id, name: "search", arguments: content })) },
        ...ids.map((id): Message => ({ role: "tool", toolCallId: id, toolName: "search", content })),
      ];
    }),
  );

const limitsArbitrary: fc.Arbitrary<HistoryLimits> = fc
  .tuple(fc.option(fc.integer({ min: 1, max: 2_000 })), fc.option(fc.integer({ min: 1, max: 8 })))
  .filter(([tokens, count]) => tokens !== null || count !== null)
  .map(([maxTokens, maxTurns]) => ({ ...(maxTokens !== null && { maxTokens }), ...(maxTurns !== null && { maxTurns }) }));

const turnCount = (messages: readonly Message[]) => numbersIn(messages).length;
const tokensOf = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + estimateTokens(message), 0);

describe("any history under any limits", () => {
  it("is cut to a paired end of itself that holds the last turn, within the limits unless that turn alone is over them", () => {
    fc.assert(
      fc.property(messagesArbitrary, limitsArbitrary, (messages, limits) => {
        const sent = trimHistory(messages, limits);
        const dropped = messages.length - sent.length;
        expect(sent).toEqual(messages.slice(dropped));
        expect(isPaired(sent)).toBe(true);
        if (dropped > 0) expect(sent[0]?.role).toBe("user");
        expect(dropped).toBeLessThanOrEqual(
          Math.max(
            0,
            messages.findLastIndex(({ role }) => role === "user"),
          ),
        );
        const { maxTokens = Number.POSITIVE_INFINITY, maxTurns = Number.POSITIVE_INFINITY } = limits;
        if (turnCount(sent) > 1) {
          expect(tokensOf(sent)).toBeLessThanOrEqual(maxTokens);
          expect(turnCount(sent)).toBeLessThanOrEqual(maxTurns);
        }
      }),
    );
  });

  it("is cut alike message by message and at once, as when a process goes on with a stored conversation", () => {
    fc.assert(
      fc.property(messagesArbitrary, limitsArbitrary, (messages, limits) => {
        const grown = new Conversation();
        grown.limit(limits);
        for (const message of messages) {
          if (message.role === "user") grown.ask(message.content);
          else grown.append([message]);
        }
        const restored = new Conversation();
        restored.restore(messages);
        restored.limit(limits);
        expect(grown.forModel).toEqual(trimHistory(messages, limits));
        expect(restored.forModel).toEqual(grown.forModel);
        expect(grown.copyFrom(0)).toEqual(messages);
      }),
    );
  });
});

describe("a conversation with limits", () => {
  const limited = (limits: HistoryLimits, messages: readonly Message[] = []) => {
    const conversation = new Conversation();
    conversation.limit(limits);
    conversation.restore(messages);
    return conversation;
  };

  it("keeps the whole history for the application", () => {
    const conversation = limited({ maxTurns: 1 }, turns(5));
    expect(conversation.forModel).toHaveLength(2);
    expect(conversation.copyFrom(0)).toEqual(turns(5));
  });

  it("gives the model one list, which stays the same through a run", () => {
    const conversation = limited({ maxTurns: 2 });
    const sent = conversation.forModel;
    for (const message of turns(20)) {
      if (message.role === "user") conversation.ask(message.content);
      else conversation.append([message]);
    }
    expect(conversation.forModel).toBe(sent);
    expect(numbersIn(sent)).toEqual([18, 19]);
  });

  it("keeps the instructions of the run in front", () => {
    const conversation = limited({ maxTurns: 1 }, turns(3));
    conversation.instruct("one");
    conversation.ask("3");
    conversation.instruct("two");
    expect(conversation.forModel).toEqual([{ role: "system", content: "two" }, user("3")]);
    conversation.instruct(undefined);
    conversation.ask("4");
    expect(conversation.forModel).toEqual([user("4")]);
  });

  it("never parts what the run itself asks from the user's question", () => {
    const conversation = limited({ maxTurns: 1 }, turns(3));
    conversation.ask("Report!");
    conversation.append([assistant("no JSON")]);
    conversation.append([user("Your answer doesn't fit.")]);
    expect(conversation.forModel).toEqual([user("Report!"), assistant("no JSON"), user("Your answer doesn't fit.")]);
  });

  it("goes by what the provider counted, tools and instructions included, if it reports a count", () => {
    const conversation = limited({ maxTokens: 1_000 }, turns(9));
    conversation.learn(0);
    conversation.ask("9");
    expect(numbersIn(conversation.forModel)).toHaveLength(10);
    conversation.learn(1_001);
    conversation.append([assistant("answer")]);
    // The provider counted 910 tokens more than the messages have by the estimate: those of tools, say.
    expect(numbersIn(conversation.forModel)).toEqual([9]);
  });

  it("believes the provider also if it counts less", () => {
    const conversation = limited({ maxTokens: 100 }, turns(10));
    conversation.learn(50);
    for (const message of turns(5)) conversation.append([message]);
    expect(conversation.forModel).toHaveLength(30);
  });

  it("is unlimited again without them", () => {
    const conversation = limited({ maxTurns: 1 }, turns(3));
    conversation.limit(undefined);
    expect(conversation.forModel).toEqual(turns(3));
  });

  it("costs the same for each message, however long the history is", () => {
    let counted = 0;
    const countTokens = (message: Message) => {
      counted += 1;
      return estimateTokens(message);
    };
    const conversation = limited({ maxTokens: 300, countTokens });
    const longest = turns(5_000).reduce((most, message) => {
      if (message.role === "user") conversation.ask(message.content);
      else conversation.append([message]);
      return Math.max(most, conversation.forModel.length);
    }, 0);
    expect(counted).toBe(10_000);
    expect(longest).toBeLessThanOrEqual(60);
  });
});

describe("@history", () => {
  it("says what an agent's model is sent", () => {
    @history({ maxTokens: 50_000 })
    class SupportAgent extends Agent {}
    expect(settingOf(SupportAgent, "history")).toEqual({ maxTokens: 50_000 });
  });

  it("sends the last turns behind the instructions, and keeps all messages", async () => {
    const scripted = new ScriptedModel(["one", "two"]);

    @model(scripted)
    @instructions("You help.")
    @history({ maxTurns: 1 })
    class SupportAgent extends Agent {}

    const agent = new SupportAgent();
    await agent.generate("1");
    await agent.generate("2");
    expect(scripted.requests[1]?.messages).toEqual([system, user("2")]);
    expect(agent.messages).toEqual([user("1"), assistant("one"), user("2"), assistant("two")]);
  });

  it("goes by the tokens that the provider reports for a step", async () => {
    const requests: (readonly Message[])[] = [];
    const counting = {
      id: "test/counting",
      generate: async ({ messages }: { readonly messages: readonly Message[] }) => {
        requests.push([...messages]);
        return { text: "ok", toolCalls: [], finishReason: "stop" as const, usage: { ...noUsage, inputTokens: 5_000 * requests.length } };
      },
    };

    @model(counting)
    @history({ maxTokens: 9_000 })
    class SupportAgent extends Agent {}

    const agent = new SupportAgent();
    for (const prompt of ["1", "2", "3"]) await agent.generate(prompt);
    expect(requests.map(numbersIn)).toEqual([[1], [1, 2], [3]]);
  });

  it.each([
    [{}, "SupportAgent: @history limits nothing. Give maxTokens or maxTurns: @history({ maxTokens: 50_000 })."],
    [undefined, "SupportAgent: @history limits nothing."],
    [{ maxTokens: 0 }, "SupportAgent: maxTokens of @history is 0, but must be a positive integer."],
    [{ maxTurns: 1.5 }, "SupportAgent: maxTurns of @history is 1.5, but must be a positive integer."],
    [{ maxTurns: "3" }, "SupportAgent: maxTurns of @history is 3, but must be a positive integer."],
  ])("refuses %p", (limits, message) => {
    expect(() => checkHistoryLimits(limits as HistoryLimits, "SupportAgent")).toThrow(message);
  });
});
