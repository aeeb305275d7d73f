import { expect as importedExpect } from "@jest/globals";
import { Agent, type AgentResponse, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { ScriptedModel, type ScriptedToolCall } from "../../src/testing/index.js";
import { createTool, description, identifier, optional, required, requiresConfirmation, Tool } from "../../src/tool/index.js";
import "../../src/testing/jest.js";

@description("Gets the current weather for a city. Use when the user asks about weather now.")
@identifier("weather")
class WeatherTool extends Tool {
  @required(String) city!: string;
  @optional({ enum: ["celsius", "fahrenheit"], default: "celsius" }) units!: string;

  call() {
    return "Sunny.";
  }
}

@description("Refunds an order. Use when the user wants the money back.")
@requiresConfirmation()
class RefundTool extends Tool {
  @required(String) order!: string;

  call() {
    return "Refunded.";
  }
}

const Archive = createTool({
  name: "mail.archive",
  description: "Archives a mail. Use when the user is done with it.",
  inputSchema: { type: "object", properties: {} },
  requiresConfirmation: true,
  execute: () => "archived",
});

@model(() => new ScriptedModel(["Done."]))
@usesTools([WeatherTool, RefundTool, Archive])
class SupportAgent extends Agent {}

/** An agent whose model makes these calls in its first step. */
function agentThatCalls(...toolCalls: readonly ScriptedToolCall[]): Agent {
  @model(new ScriptedModel([{ toolCalls }, "Done."]))
  class Scripted extends SupportAgent {}
  return new Scripted();
}

const responseTo = (...toolCalls: readonly ScriptedToolCall[]): Promise<AgentResponse> => agentThatCalls(...toolCalls).generate("Help.");

const paris = { name: "weather", arguments: { city: "Paris" } };
const refund = { name: "refund_tool", arguments: { order: "A-17" } };

/** What an expectation says where it fails, without colours. */
function saidBy(expectation: () => void): string {
  try {
    expectation();
  } catch (error) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal begin with it
    return (error as Error).message.replace(/\u001b\[\d+m/g, "");
  }
  throw new Error("The expectation holds.");
}

describe("toHaveCalledTool", () => {
  it("holds if the model called the tool, given as class or name", async () => {
    const response = await responseTo(paris);
    expect(response).toHaveCalledTool(WeatherTool);
    expect(response).toHaveCalledTool("weather");
    expect(response).not.toHaveCalledTool(RefundTool);
  });

  it("compares the whole input, as the model wrote it, defaults not included", async () => {
    const response = await responseTo(paris);
    expect(response).toHaveCalledTool(WeatherTool, { city: "Paris" });
    expect(response).not.toHaveCalledTool(WeatherTool, { city: "Paris", units: "celsius" });
    expect(response).not.toHaveCalledTool(WeatherTool, {});
  });

  it("takes asymmetric matchers for the input and for parts of it", async () => {
    const response = await responseTo({ name: "weather", arguments: { city: "Paris", units: "celsius" } });
    expect(response).toHaveCalledTool(WeatherTool, expect.objectContaining({ city: expect.stringMatching(/^Par/) }));
    expect(response).toHaveCalledTool(WeatherTool, { city: expect.any(String), units: expect.anything() });
    expect(response).not.toHaveCalledTool(WeatherTool, expect.objectContaining({ city: expect.any(Number) }));
  });

  it("reads arguments as leniently as the executor does, and leaves unreadable text as it is", async () => {
    const response = await responseTo({ name: "weather", arguments: "{city: 'Paris',}" }, { name: "weather", arguments: '{"city": "Ro' });
    expect(response).toHaveCalledTool(WeatherTool, { city: "Paris" });
    expect(response).toHaveCalledTool(WeatherTool, '{"city": "Ro');
  });

  it("counts calls that failed and calls of unknown tools: the model made them", async () => {
    const response = await responseTo({ name: "weather", arguments: { city: 7 } }, { name: "delete_everything" });
    expect(response).toHaveCalledTool(WeatherTool, { city: 7 });
    expect(response).toHaveCalledTool("delete_everything");
  });

  it("counts calls that wait for a person", async () => {
    const response = await responseTo(paris, refund, { name: "mail_archive" });
    expect(response).toHaveCalledTool(WeatherTool, { city: "Paris" });
    expect(response).toHaveCalledTool(RefundTool, { order: "A-17" });
    expect(response).toHaveCalledTool(Archive);
  });

  it("counts the calls of a step that was resumed", async () => {
    const agent = agentThatCalls(paris, refund);
    const { state, confirmations = [] } = await agent.generate("Help.");
    const resumed = await agent.resume(state!, { decisions: confirmations.map((confirmation) => approve(confirmation)) });
    expect(resumed).toHaveCalledTool(WeatherTool);
    expect(resumed).toHaveCalledTool(RefundTool, { order: "A-17" });
    expect(resumed).not.toHaveBeenInterrupted();
  });

  it("shows where the nearest of the tool's calls differs from what was expected", async () => {
    const response = await responseTo(
      { name: "weather", arguments: { city: 7, units: "kelvin" } },
      { name: "weather", arguments: { city: "Paris", units: "celsius" } },
      { name: "delete_everything" },
    );
    expect(saidBy(() => expect(response).toHaveCalledTool(WeatherTool, { city: "Rome", units: "celsius" }))).toBe(
      [
        "expect(response).toHaveCalledTool(tool, input)",
        "",
        'Expected: a call of "weather" with {"city": "Rome", "units": "celsius"}',
        "The run called:",
        '  weather {"city":7,"units":"kelvin"}: validation_error',
        '  weather {"city":"Paris","units":"celsius"}: succeeded',
        '    city: expected "Rome", the model wrote "Paris"',
        "  delete_everything {}: unknown_tool",
      ].join("\n"),
    );
  });

  it("says that other tools were called, and none of this name", async () => {
    const response = await responseTo(paris);
    expect(saidBy(() => expect(response).toHaveCalledTool(RefundTool, { order: "A-17" }))).toBe(
      [
        "expect(response).toHaveCalledTool(tool, input)",
        "",
        'Expected: a call of "refund_tool" with {"order": "A-17"}',
        "The run didn't call refund_tool, but:",
        '  weather {"city":"Paris"}: succeeded',
      ].join("\n"),
    );
  });

  const search = (filters: unknown) => responseTo({ name: "search", arguments: { filters } as Record<string, unknown> });

  it("goes down to the member that differs, and through what objectContaining names", async () => {
    const response = await search([{ field: "price", max: 20 }, { field: "colour" }]);
    const said = (input: unknown) =>
      saidBy(() => expect(response).toHaveCalledTool("search", input))
        .split("\n")
        .slice(5);
    expect(said({ filters: [{ field: "price", max: 30 }, { field: "colour" }] })).toEqual([
      "    filters[0].max: expected 30, the model wrote 20",
    ]);
    expect(said({ filters: [{ field: "price", max: expect.any(String) }, expect.anything()] })).toEqual([
      "    filters[0].max: expected Any<String>, the model wrote 20",
    ]);
    expect(said(expect.objectContaining({ filters: [expect.objectContaining({ max: 30 }), { field: "colour" }] }))).toEqual([
      "    filters[0].max: expected 30, the model wrote 20",
    ]);
    expect(said(expect.not.objectContaining({ filters: expect.anything() }))).toEqual([
      expect.stringContaining("    the arguments: expected ObjectNotContaining"),
    ]);
    expect(said({ filters: null })).toEqual([expect.stringContaining("    filters: expected null, the model wrote [{")]);
  });

  it("shows a class whose members are the same as a whole", async () => {
    const response = await search({});
    expect(saidBy(() => expect(response).toHaveCalledTool("search", { filters: new Map() }))).toMatch(
      /\n {4}filters: expected Map \{\}, the model wrote \{\}$/,
    );
  });

  it("says what to do if the model only left something out, or only wrote more", async () => {
    const brief = await responseTo(paris);
    const less = saidBy(() => expect(brief).toHaveCalledTool(WeatherTool, { city: "Paris", units: "celsius" }));
    expect(less).toContain(
      '    units: expected "celsius", the model left it out\n    Arguments are compared as the model wrote them, without defaults.',
    );
    const long = await responseTo({ name: "weather", arguments: { city: "Paris", units: "celsius" } });
    const more = saidBy(() => expect(long).toHaveCalledTool(WeatherTool, { city: "Paris" }));
    expect(more).toContain(
      '    units: not expected, the model wrote "celsius"\n    To name only some arguments, write expect.objectContaining({ ... }).',
    );
  });

  it("shows unreadable arguments as text", async () => {
    const response = await responseTo({ name: "weather", arguments: '{"city": "Ro' });
    expect(saidBy(() => expect(response).toHaveCalledTool(WeatherTool, { city: "Rome" }))).toContain(
      String.raw`    the arguments: expected {"city": "Rome"}, the model wrote "{\"city\": \"Ro"`,
    );
  });

  it("points to the call that should not have been if .not fails", async () => {
    const response = await responseTo(paris, { name: "weather", arguments: { city: "Rome" } });
    expect(saidBy(() => expect(response).not.toHaveCalledTool(WeatherTool, { city: "Rome" }))).toBe(
      [
        "expect(response).not.toHaveCalledTool(tool, input)",
        "",
        'Expected: no call of "weather" with {"city": "Rome"}',
        "The run called:",
        '  weather {"city":"Paris"}: succeeded',
        '  weather {"city":"Rome"}: succeeded  <-',
      ].join("\n"),
    );
  });

  it("says how the run ended if no tool was called, and what the model said instead", async () => {
    const response = await SupportAgent.generate("Help.");
    expect(saidBy(() => expect(response).toHaveCalledTool(WeatherTool))).toContain(
      'Expected: a call of "weather"\nThe run called no tool. It ended with success. The model said: "Done."',
    );
  });

  it("works with resolves", async () => {
    await expect(responseTo(paris)).resolves.toHaveCalledTool(WeatherTool);
    await expect(responseTo(paris)).resolves.not.toHaveCalledTool(RefundTool);
  });

  it("says what is wrong with the expectation itself", async () => {
    const promise = responseTo(paris);
    expect(saidBy(() => expect(promise).toHaveCalledTool(WeatherTool))).toContain(
      "expect takes an agent's response here, got a promise. Await it: expect(await agent.generate(...)).",
    );
    const stream = SupportAgent.stream("Help.");
    expect(saidBy(() => expect(stream).toHaveBeenInterrupted())).toContain(
      "got a stream. Await its response: expect(await stream.response).",
    );
    await stream.response;
    expect(saidBy(() => expect(undefined).not.toHaveCalledTool(WeatherTool))).toContain("an agent's response here, got undefined");
    const response = await promise;
    // @ts-expect-error: a date is no tool
    expect(saidBy(() => expect(response).toHaveCalledTool(Date))).toContain(
      "A tool is expected as a class that extends Tool or Agent, or as its name",
    );
    expect(saidBy(() => expect(response).not.toHaveCalledTool(""))).toContain('got "".');
  });

  it("is typed and there for the expect of @jest/globals too", async () => {
    importedExpect(await responseTo(paris)).toHaveCalledTool(WeatherTool, { city: "Paris" });
    importedExpect(await responseTo(refund)).toHaveBeenInterrupted(RefundTool);
  });
});

describe("toHaveBeenInterrupted", () => {
  it("holds if the run waits for a person, and names the tool that waits", async () => {
    const response = await responseTo(paris, refund);
    expect(response).toHaveBeenInterrupted();
    expect(response).toHaveBeenInterrupted(RefundTool);
    expect(response).toHaveBeenInterrupted("refund_tool");
    expect(response).not.toHaveBeenInterrupted(WeatherTool);
  });

  it("doesn't hold if the run went to its end, however it ended", async () => {
    expect(await responseTo(paris)).not.toHaveBeenInterrupted();
  });

  it("says how the run ended if it fails", async () => {
    const response = await responseTo(paris);
    expect(saidBy(() => expect(response).toHaveBeenInterrupted(RefundTool))).toBe(
      [
        "expect(response).toHaveBeenInterrupted(tool)",
        "",
        'Expected: a call of "refund_tool" that awaits confirmation',
        "It ended with success.",
      ].join("\n"),
    );
  });

  it("shows the calls that ran without asking", async () => {
    const response = await responseTo(paris, paris);
    expect(saidBy(() => expect(response).toHaveBeenInterrupted(WeatherTool))).toContain(
      'It ended with success.\n  weather {"city":"Paris"}: succeeded\n  weather {"city":"Paris"}: succeeded',
    );
  });

  it("shows what waits if .not fails", async () => {
    const response = await responseTo(refund);
    const said = saidBy(() => expect(response).not.toHaveBeenInterrupted());
    expect(said).toContain(
      "expect(response).not.toHaveBeenInterrupted()\n\nExpected: a run that was not interrupted\nIt ended with awaiting_confirmation",
    );
    expect(said).toContain('  awaits confirmation: refund_tool {"order":"A-17"}');
  });
});

describe('import "toolwright/testing/jest"', () => {
  it("says what to write if expect is no global", async () => {
    const { expect: original } = globalThis as any;
    let said = "";
    delete (globalThis as any).expect;
    try {
      jest.isolateModules(() => require("../../src/testing/jest.js"));
    } catch (error) {
      said = (error as Error).message;
    } finally {
      (globalThis as any).expect = original;
    }
    expect(said).toContain('import { toolMatchers } from "toolwright/testing"; expect.extend(toolMatchers);');
  });
});
