import { declinedText, deniedText } from "../../src/confirmation/decided-text.js";

const told = (reason: string) =>
  `Not run: a person was asked and denied this call. The reason: ${reason} Don't call it again in the same way.`;

describe("the reason of a denial, as the model reads it", () => {
  it.each(["too expensive", " too expensive\n"])("ends with a full stop: %j", (reason) => {
    expect(deniedText(reason)).toBe(told("too expensive."));
  });

  it.each(["Too expensive.", "Too expensive!", "Why?", "Too…", "(Too expensive.)", "高すぎます。"])("keeps its own end: %s", (reason) => {
    expect(deniedText(reason)).toBe(told(reason));
  });

  it("has no characters that people don't see, and is cut after 4,000", () => {
    expect(deniedText("too\u200b ex\u202epensive\u{e0041}")).toBe(told("too expensive."));
    expect(declinedText("\u200b")).toBe("Not answered: the person declined to answer. Go on without the answer.");
    expect(deniedText("x".repeat(1_000_000))).toBe(told(`${"x".repeat(4_000)}...`));
  });

  it.each([undefined, "", "  "])("is left out if it says nothing: %j", (reason) => {
    expect(deniedText(reason)).toBe("Not run: a person was asked and denied this call. Don't call it again in the same way.");
  });
});
