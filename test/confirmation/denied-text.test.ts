import { deniedText } from "../../src/confirmation/decided-text.js";

const told = (reason: string) =>
  `Not run: a person was asked and denied this call. The reason: ${reason} Don't call it again in the same way.`;

describe("the reason of a denial, as the model reads it", () => {
  it.each(["too expensive", " too expensive\n"])("ends with a full stop: %j", (reason) => {
    expect(deniedText(reason)).toBe(told("too expensive."));
  });

  it.each(["Too expensive.", "Too expensive!", "Why?", "Too…", "(Too expensive.)", "高すぎます。"])("keeps its own end: %s", (reason) => {
    expect(deniedText(reason)).toBe(told(reason));
  });

  it.each([undefined, "", "  "])("is left out if it says nothing: %j", (reason) => {
    expect(deniedText(reason)).toBe("Not run: a person was asked and denied this call. Don't call it again in the same way.");
  });
});
