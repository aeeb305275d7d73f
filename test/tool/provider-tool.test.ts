import { Agent, model, usesTools } from "../../src/agent/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { createTool, deferred, description, identifier, providerTool, requiresConfirmation } from "../../src/tool/index.js";

const confirmed = /needs a confirmation, but the provider runs its calls before anyone can decide.* Remove the confirmation/;

describe("providerTool", () => {
  it.each([
    ["anthropic/web_search", "anthropic.web_search_20260209", "web_search"],
    ["anthropic/web_fetch", "anthropic.web_fetch_20260209", "web_fetch"],
    ["anthropic/code_execution", "anthropic.code_execution_20260120", "code_execution"],
    ["anthropic.web_search_20250305", "anthropic.web_search_20250305", "web_search"],
    ["anthropic/web_search_20250305", "anthropic.web_search_20250305", "web_search"],
    ["openai/web_search", "openai.web_search", "web_search"],
    ["google.google_search", "google.google_search", "google_search"],
  ])("reads %s as %s", (tool, id, name) => {
    const { definition } = providerTool(tool, { a: [1] });
    expect(definition).toMatchObject({ name, providerTool: { id, args: { a: [1] } } });
    expect(Object.isFrozen(definition.providerTool)).toBe(true);
  });

  it.each(["anthropic/web_serch", "anthropic/bash", "web_search", "acme/search", "constructor/name", "", undefined, 3])(
    "rejects %s and lists the tools",
    (tool) => {
      expect(() => providerTool(tool as never)).toThrow(/is no tool that a provider runs. Write one of anthropic\/web_search, .*full id/);
    },
  );

  it("rejects arguments that aren't JSON", () => {
    expect(() => providerTool("openai/web_search", { filter: () => true })).toThrow(
      "the argument filter is a function. Give values that JSON has.",
    );
    expect(() => providerTool("openai/web_search", [] as never)).toThrow("the arguments are an object");
  });

  it("takes no later changes of its arguments", () => {
    const args = { maxUses: 3 };
    const { definition } = providerTool("anthropic/web_search", args);
    args.maxUses = 9;
    expect(definition.providerTool?.args).toEqual({ maxUses: 3 });
  });

  it("rejects a confirmation among its options and arguments", () => {
    expect(() => providerTool("openai/web_search", {}, { requiresConfirmation: true } as never)).toThrow(confirmed);
    expect(() => providerTool("openai/web_search", { needsApproval: true })).toThrow(confirmed);
  });

  it("rejects a confirmation of a subclass when it is defined", () => {
    @requiresConfirmation()
    class Confirmed extends providerTool("openai/web_search") {}
    expect(() => Confirmed.definition).toThrow(confirmed);
  });

  it("keeps what the provider runs in a subclass with another name", () => {
    @identifier("look_up")
    @description("Looks things up.")
    class LookUp extends providerTool("openai/web_search") {}
    expect(LookUp.definition).toMatchObject({ name: "look_up", providerTool: { id: "openai.web_search" } });
  });

  it("can't be deferred", async () => {
    @model(new ScriptedModel(["Hi"]))
    @usesTools([deferred(providerTool("openai/web_search"))])
    class DeferringAgent extends Agent {}
    await expect(new DeferringAgent().generate("Hi")).rejects.toThrow('the provider tool "web_search" is deferred');
  });

  it("can't share its name with another tool of the agent", async () => {
    const own = createTool("web_search", "Searches. Use to search.", { type: "object" }, () => "found");
    @model(new ScriptedModel(["Hi"]))
    @usesTools([own, providerTool("openai/web_search")])
    class TwoSearches extends Agent {}
    await expect(new TwoSearches().generate("Hi")).rejects.toThrow('are both named "web_search"');
  });

  it("fails outside of an agent and says what runs it", async () => {
    await expect(invokeTool(providerTool("openai/web_search"), {})).rejects.toThrow("the model's provider runs openai.web_search");
  });

  it("is unknown to the executor of the agent", async () => {
    @model(new ScriptedModel([{ toolCalls: [{ name: "web_search", arguments: {} }] }, "Hi"]))
    @usesTools([providerTool("openai/web_search")])
    class SearchingAgent extends Agent {}
    const { steps } = await new SearchingAgent().generate("Hi");
    expect(steps[0]?.toolCalls[0]?.errorType).toBe("unknown_tool");
  });
});
