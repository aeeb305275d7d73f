import { Agent, model } from "../../src/agent/index.js";
import { ScriptedModel } from "../../src/models/index.js";

function agentOf(): Agent {
  @model(new ScriptedModel(["Hello."]))
  class HelloAgent extends Agent {}

  return new HelloAgent();
}

const secret = "a secret of thirty-two bytes at least";

/** What `generate` throws, where it is called from JavaScript. */
async function thrownBy(prompt: unknown, options: object = {}): Promise<Error | undefined> {
  return agentOf()
    .generate(prompt as string, options)
    .then(
      () => undefined,
      (error: Error) => error,
    );
}

describe("a prompt that is none is refused, and never asked:", () => {
  it.each([
    ["undefined", undefined, "There is nothing to continue: the conversation is empty."],
    ["null", null, "got null."],
    ["a number", 5, "got number."],
    ["an object", { text: "Hi" }, "got object."],
    ["a list with a part of no kind", [{ type: "text", text: "Hi" }, { type: "txt" }], "part 1 isn't one of these."],
  ])("%s", async (_, prompt, message) => {
    const error = await thrownBy(prompt);
    expect(error).toBeInstanceOf(TypeError);
    expect(error?.message).toContain(message);
  });

  it("and so is a blank one, which providers reject for as long as it is in the history", async () => {
    for (const prompt of ["", " ", "\n\t", [], [{ type: "text", text: " " }]]) {
      expect((await thrownBy(prompt))?.message).toBe("The prompt is blank: give a text, an image or a file.");
    }
  });

  it("but texts and lists of parts are taken, an image alone too", async () => {
    for (const prompt of ["Hi", [{ type: "image", mediaType: "image/png", data: "" }]]) {
      expect(await thrownBy(prompt)).toBeUndefined();
    }
  });
});

describe("an option that is none is refused before anything runs:", () => {
  it.each([
    ["a controller in place of its signal", { abortSignal: new AbortController() }, "{ abortSignal: controller.signal }"],
    ["a listener that stands in no list", { listeners: {} }, "{ listeners: [listener] }"],
    ["nothing among the listeners", { listeners: [null] }, "must be a list of objects"],
    ["a handler that is no function", { confirm: true }, "must be a function that gives a decision"],
    ["such a handler in a list", { confirm: [() => undefined, 5] }, "must be a function that gives a decision"],
    ["a secret that isn't set, which would sign nothing", { stateSecret: undefined }, "got undefined"],
    ["an empty secret, which would sign nothing", { stateSecret: "" }, "a string that can't be guessed"],
  ])("%s", async (_, options, message) => {
    const error = await thrownBy("Hi", options);
    expect(error).toBeInstanceOf(TypeError);
    expect(error?.message).toContain(message);
  });

  it.each([
    ["one letter", "a", 1],
    ["a password", "correct horse", 13],
    ["one byte less", "x".repeat(31), 31],
    ["ten letters of three bytes each", "\u20ac".repeat(10), 30],
  ])("a secret of %s, by generate, stream and resume, with the way to make one", async (_, stateSecret, bytes) => {
    const error = await thrownBy("Hi", { stateSecret });
    expect(error).toBeInstanceOf(RangeError);
    expect(error?.message).toBe(
      `The option stateSecret must have at least 32 bytes, got ${bytes}. Make one: openssl rand -base64 32. All processes need the same one.`,
    );
    await expect(agentOf().stream("Hi", { stateSecret }).response).rejects.toThrow(error?.message);
    await expect(agentOf().resume({} as never, { stateSecret })).rejects.toThrow(error?.message);
    await expect(agentOf().resumeStream({} as never, { stateSecret }).response).rejects.toThrow(error?.message);
  });

  it("a secret that is no text", async () => {
    expect((await thrownBy("Hi", { stateSecret: Buffer.alloc(32) }))?.message).toContain("must be a string that can't be guessed");
  });

  it("those that are right are taken", async () => {
    const options = { abortSignal: new AbortController().signal, listeners: [{}], confirm: [() => undefined], stateSecret: secret };
    expect(await thrownBy("Hi", options)).toBeUndefined();
    expect(await thrownBy("Hi", { confirm: () => undefined, listeners: [] })).toBeUndefined();
  });
});
