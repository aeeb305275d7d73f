import { forgetChat, type KeptChat, keepChat, keptChats } from "../../src/studio/page/agents/kept-chats.js";
import { emptyTranscript } from "../../src/studio/page/agents/transcript.js";
import { forgetDraft, keepDraft, keptDraft } from "../../src/studio/page/shared/decision-drafts.js";
import { keepText, keptText } from "../../src/studio/page/shared/kept-texts.js";

/** The storage of a tab, which has room for a number of characters. */
class TabStorage {
  readonly #texts = new Map<string, string>();
  room = 1_000_000;

  getItem(key: string): string | null {
    return this.#texts.get(key) ?? null;
  }
  removeItem(key: string): void {
    this.#texts.delete(key);
  }
  setItem(key: string, text: string): void {
    const others = [...this.#texts].filter(([known]) => known !== key);
    const used = others.reduce((sum, [, kept]) => sum + kept.length, 0);
    if (used + text.length > this.room) throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    this.#texts.set(key, text);
  }
}

declare global {
  /** The page's part of the browser that these tests need: the library itself has none. */
  const sessionStorage: Pick<TabStorage, "getItem" | "setItem" | "removeItem">;
}

let tab: TabStorage;
const own = Object.getOwnPropertyDescriptor(globalThis, "sessionStorage");
beforeEach(() => {
  tab = new TabStorage();
  Object.defineProperty(globalThis, "sessionStorage", { value: tab, configurable: true });
});
afterAll(() => {
  if (own === undefined) Reflect.deleteProperty(globalThis, "sessionStorage");
  else Object.defineProperty(globalThis, "sessionStorage", own);
});

describe("texts that a tab keeps", () => {
  it("are there after a reload, until they are removed", () => {
    expect(keepText("context", "{}")).toBe(true);
    expect(keptText("context")).toBe("{}");
    keepText("context", undefined);
    expect(keptText("context")).toBeUndefined();
  });

  it("neither throw nor leave an older text, if the browser has no room", () => {
    keepText("context", "old");
    tab.room = 5;
    expect(keepText("context", "longer")).toBe(false);
    expect(keptText("context")).toBeUndefined();
  });
});

describe("drafts of decisions", () => {
  it("are kept for each call until the decision is taken", () => {
    keepDraft("a", { reason: "too expensive" });
    keepDraft("b", { edited: '{"amount": 1' });
    forgetDraft("a");
    expect(keptDraft("a")).toEqual({});
    expect(keptDraft("b")).toEqual({ edited: '{"amount": 1' });
  });

  it("are 50 at most, so calls that are decided elsewhere leave nothing behind for long", () => {
    for (let index = 0; index <= 50; index += 1) keepDraft(`call ${index}`, { reason: "because" });
    expect(keptDraft("call 0")).toEqual({});
    expect(keptDraft("call 1")).toEqual({ reason: "because" });
  });

  it("stay if another one is too large for the browser", () => {
    keepDraft("a", { reason: "because" });
    tab.room = 200;
    keepDraft("b", { edited: "x".repeat(300) });
    expect([keptDraft("a"), keptDraft("b")]).toEqual([{ reason: "because" }, {}]);
  });
});

describe("chats that a tab keeps", () => {
  const chat = (chatId: string, past = 1, text = "Hello"): KeptChat => ({
    ...{ chatId, past, process: "first" },
    transcript: { ...emptyTranscript, entries: [{ kind: "user", text }] },
  });
  const ids = (): readonly string[] => keptChats("shop").map(({ chatId }) => chatId);

  it("move to the end when they are continued, and not when they are looked at", () => {
    for (const id of ["a", "b", "c"]) keepChat("shop", chat(id));
    keepChat("shop", chat("a"));
    expect(ids()).toEqual(["a", "b", "c"]);
    keepChat("shop", chat("a", 2));
    expect(ids()).toEqual(["b", "c", "a"]);
  });

  it("are 20, without the one that was continued longest ago", () => {
    for (let index = 0; index < 20; index += 1) keepChat("shop", chat(`${index}`));
    keepChat("shop", chat("0", 2));
    keepChat("shop", chat("new"));
    expect(ids()).toHaveLength(20);
    expect(ids()).toContain("0");
    expect(ids()).not.toContain("1");
  });

  it("make room for a newer one", () => {
    tab.room = 500;
    for (const id of ["a", "b", "c", "d", "e"]) keepChat("shop", chat(id));
    expect(ids().at(-1)).toBe("e");
    expect(ids()).not.toContain("a");
  });

  it("stay if one alone is too large for the browser, which is left out", () => {
    tab.room = 1_000;
    for (const id of ["a", "b", "c"]) keepChat("shop", chat(id));
    const kept = keepChat("shop", chat("b", 2, "x".repeat(2_000)));
    expect(kept.map(({ chatId }) => chatId)).toEqual(["a", "c"]);
    expect(ids()).toEqual(["a", "c"]);
  });

  it("are forgotten one by one", () => {
    for (const id of ["a", "b"]) keepChat("shop", chat(id));
    expect(forgetChat("shop", "a").map(({ chatId }) => chatId)).toEqual(["b"]);
  });
});
