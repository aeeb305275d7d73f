import { Agent, model } from "../../src/agent/index.js";
import { ScriptedModel } from "../../src/models/index.js";

/** What `generate` throws, where it is called from JavaScript. */
async function thrownBy(prompt: unknown, options: object = {}): Promise<Error | undefined> {
  @model(new ScriptedModel(["Hello."]))
  class HelloAgent extends Agent {}

  return new HelloAgent().generate(prompt as string, options).then(
    () => undefined,
    (error: Error) => error,
  );
}

describe("a prompt that is none is refused, and never asked:", () => {
  it.each([
    ["undefined", undefined, "The prompt must be a text, or a list of text, image and file parts: got undefined."],
    ["null", null, "got null."],
    ["a number", 5, "got number."],
    ["an object", { text: "Hi" }, "got object."],
    ["a list with a part of no kind", [{ type: "text", text: "Hi" }, { type: "txt" }], "part 1 is none of these."],
  ])("%s", async (_, prompt, message) => {
    const error = await thrownBy(prompt);
    expect(error).toBeInstanceOf(TypeError);
    expect(error?.message).toContain(message);
  });

  it("but texts and lists of parts are taken, empty ones too", async () => {
    for (const prompt of ["Hi", "", [], [{ type: "image", mediaType: "image/png", data: "" }]]) {
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
    ["an empty secret, which would sign nothing", { stateSecret: "" }, "a text that nobody can guess"],
  ])("%s", async (_, options, message) => {
    const error = await thrownBy("Hi", options);
    expect(error).toBeInstanceOf(TypeError);
    expect(error?.message).toContain(message);
  });

  it("those that are right are taken", async () => {
    const options = { abortSignal: new AbortController().signal, listeners: [{}], confirm: [() => undefined], stateSecret: "s3cret" };
    expect(await thrownBy("Hi", options)).toBeUndefined();
    expect(await thrownBy("Hi", { confirm: () => undefined, listeners: [] })).toBeUndefined();
  });
});
