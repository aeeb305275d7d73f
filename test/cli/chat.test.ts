import { toolwright } from "./command-line.js";

const chat = ["chat", "shop_agent", "-m", "shop.ts"];

describe("chat", () => {
  it("answers a prompt: the answer to the output, tool calls to the errors", async () => {
    const { exitCode, output, errors } = await toolwright([...chat, 'What is the weather in "Paris"?']);
    expect(exitCode).toBe(0);
    expect(output).toBe("Sunny in Paris, in celsius.\n");
    expect(errors).toContain('> get_weather {"city":"Paris"');
    expect(errors).toContain("< Sunny in Paris");
  });

  it("takes each line of the input as a prompt of one conversation", async () => {
    const { exitCode, output } = await toolwright(chat, { input: 'The weather in "Paris"?\n\nThe weather in "Rome"?\n' });
    expect(exitCode).toBe(0);
    expect(output).toBe("Sunny in Paris, in celsius.\nSunny in Rome, in celsius.\n");
  });

  it("prints the events as JSON lines", async () => {
    const { output } = await toolwright([...chat, 'What is the weather in "Paris"?', "--json"]);
    const events = output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["tool_started", "tool_result", "text_delta", "done"]));
    expect(events.at(-1)).toMatchObject({ type: "done", reason: "success", text: "Sunny in Paris, in celsius." });
  });

  it("prints an error as a JSON line, too", async () => {
    const { exitCode, output } = await toolwright([...chat, "Hi.", "--model", "nobody/unknown", "--json"]);
    expect(exitCode).toBe(1);
    const last = output.trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(last)).toMatchObject({ error: { exitCode: 1, message: expect.stringContaining('"nobody/unknown" is not known') } });
  });

  it("ends with 3 if a call needs approval and no person can be asked", async () => {
    const { exitCode, errors } = await toolwright([...chat, 'Refund the order "A-17"']);
    expect(exitCode).toBe(3);
    expect(errors).toContain("No answer: awaiting_confirmation");
    expect(errors).toContain("Pass --yes to approve calls");
  });

  it("approves calls with --yes", async () => {
    const { exitCode, output } = await toolwright([...chat, 'Refund the order "A-17"', "--yes"]);
    expect([exitCode, output]).toEqual([0, "Refunded A-17 for nobody.\n"]);
  });

  it("asks in the terminal", async () => {
    const { output, errors } = await toolwright([...chat, 'Refund the order "A-17"'], { isTerminal: true, input: "y" });
    expect(errors).toContain("This call needs your approval:");
    expect(output).toBe("Refunded A-17 for nobody.\n");
  });

  it("uses another model with --model for an agent that the application's container makes", async () => {
    const given = ["chat", "clerk", "What are the opening hours?", "-m", "injected.ts", "--model", "embedded/keyword"];
    expect(await toolwright(given)).toMatchObject({ exitCode: 0, output: "Open from 9 to 18.\n" });
  });

  it("uses another model with --model", async () => {
    const { exitCode, errors } = await toolwright([...chat, "Hello", "--model", "nothing/at-all"]);
    expect(exitCode).toBe(1);
    expect(errors).toContain('Model "nothing/at-all" is not known.');
  });

  it("stops the answer on Ctrl-C, and ends with 130", async () => {
    const { exitCode, errors } = await toolwright(["chat", "slow_agent", "-m", "slow.ts", "Wait for it"], {
      onInterrupt: (interrupt) => setTimeout(interrupt, 50),
    });
    expect(exitCode).toBe(130);
    expect(errors).toContain("aborted");
  });
});
