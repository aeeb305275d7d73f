import { equal, ok, rejects } from "node:assert/strict";
import type { StoredConversation } from "../../storage/index.js";
import { type Case, deepEqual, difficultIds, difficultTexts } from "./storage-under-test.js";

/** A conversation with one message for each save. */
const saying = (...texts: readonly string[]): StoredConversation => ({
  version: 1,
  revision: texts.length,
  messages: texts.map((content) => ({ role: "user", content })),
});

/** A conversation in which a tool's result and a prompt have images: `a` and `b` are their bytes. Saved once, or twice if there are several. */
const showing = (...bytes: readonly string[]): StoredConversation => ({
  version: 1,
  revision: Math.min(bytes.length, 2),
  messages: bytes.map((byte, index) => {
    const part = { type: "image", mediaType: "image/png", data: byte.repeat(4_000) };
    const content = "[image/png, 3 KB]";
    return index % 2 === 0 ? { role: "tool", toolCallId: "call_1", content, attachments: [part] } : { role: "user", content: [part] };
  }),
});

// By name: an application's own form may use another copy of the package.
const isConflict = (error: Error): boolean => error.name === "ConversationConflictError";
const isTypeError = ({ name }: Error): boolean => name === "TypeError";

/** `ConversationStore`. */
export const conversationCases: readonly Case[] = [
  {
    title: "loads the conversation that was saved last",
    check: async (test) => {
      const { conversations } = await test.open();
      equal(await conversations.load("user-42"), undefined);
      await conversations.save("user-42", saying("Hello"));
      await conversations.save("user-42", saying("Hello", "Goodbye"));
      deepEqual(await conversations.load("user-42"), saying("Hello", "Goodbye"));
    },
  },
  {
    title: "keeps images and files of messages, through several saves",
    check: async (test) => {
      const { conversations } = await test.open();
      await conversations.save("user-42", showing("a"));
      deepEqual(await conversations.load("user-42"), showing("a"));
      await conversations.save("user-42", showing("a", "b", "a"));
      deepEqual(await conversations.load("user-42"), showing("a", "b", "a"));
      await conversations.save("other", showing("b"));
      await conversations.save("user-42", { ...showing("b"), revision: 3 });
      deepEqual(await conversations.load("user-42"), { ...showing("b"), revision: 3 });
      await conversations.save("user-42", { ...saying("No image."), revision: 4 });
      deepEqual(await conversations.load("other"), showing("b"));
      await conversations.delete("other");
      await conversations.save("other", showing("a"));
      deepEqual(await conversations.load("other"), showing("a"));
    },
  },
  {
    title: "saves no first revision over another, and changes nothing",
    check: async (test) => {
      const { conversations } = await test.open();
      await conversations.save("user-42", saying("Hello"));
      await rejects(async () => conversations.save("user-42", saying("Other")), isConflict);
      // Without a revision it is the first.
      await rejects(async () => conversations.save("user-42", { version: 1, messages: [] }), isConflict);
      deepEqual(await conversations.load("user-42"), saying("Hello"));
    },
  },
  {
    title: "saves for one of two who loaded the same revision, and changes nothing for the other",
    check: async (test) => {
      const { conversations } = await test.open();
      await conversations.save("user-42", saying("Hello"));
      await conversations.save("user-42", saying("Hello", "first"));
      await rejects(
        async () => conversations.save("user-42", saying("Hello", "second")),
        (error: Error & { readonly id?: unknown; readonly loaded?: unknown; readonly stored?: unknown }) =>
          isConflict(error) && error.id === "user-42" && error.loaded === 1 && error.stored === 2,
      );
      deepEqual(await conversations.load("user-42"), saying("Hello", "first"));
    },
  },
  {
    title: "saves no revision that leaves others out",
    check: async (test) => {
      const { conversations } = await test.open();
      await rejects(async () => conversations.save("user-42", saying("a", "b")), isConflict);
      await conversations.save("user-42", saying("a"));
      await rejects(async () => conversations.save("user-42", saying("a", "b", "c")), isConflict);
      deepEqual(await conversations.load("user-42"), saying("a"));
    },
  },
  {
    title: "saves for one of fifty who save at once",
    check: async (test) => {
      const { conversations } = await test.open();
      for (const before of [[], ["Hello"]]) {
        const writers = Array.from({ length: 50 }, (_, index) => saying(...before, `${before.length} ${index}`));
        const outcomes = await Promise.allSettled(writers.map(async (one) => conversations.save("user-42", one)));
        const saved = writers.filter((_, index) => outcomes[index]?.status === "fulfilled");
        equal(saved.length, 1);
        for (const outcome of outcomes) ok(outcome.status === "fulfilled" || isConflict(outcome.reason as Error));
        deepEqual(await conversations.load("user-42"), saved[0]);
        await conversations.delete("user-42");
        if (before.length === 0) await conversations.save("user-42", saying("Hello"));
      }
    },
  },
  {
    title: "removes a conversation, and saves what was loaded before no more",
    check: async (test) => {
      const { conversations } = await test.open();
      await conversations.delete("user-42");
      await conversations.save("user-42", saying("Hello"));
      await conversations.save("user-43", saying("Hello"));
      await conversations.delete("user-42");
      equal(await conversations.load("user-42"), undefined);
      await rejects(async () => conversations.save("user-42", saying("Hello", "Goodbye")), isConflict);
      equal(await conversations.load("user-42"), undefined);
      await conversations.save("user-42", saying("Anew"));
      deepEqual(await conversations.load("user-42"), saying("Anew"));
      deepEqual(await conversations.load("user-43"), saying("Hello"));
    },
  },
  {
    title: "gives conversations back as JSON has them",
    check: async (test) => {
      const { conversations } = await test.open();
      const conversation = { ...saying(...difficultTexts, "é".repeat(500_000)), revision: 1, state: { absent: undefined, none: null } };
      await conversations.save("user-42", conversation);
      deepEqual(await conversations.load("user-42"), JSON.parse(JSON.stringify(conversation)));
    },
  },
  {
    title: "keeps any two ids of conversations apart",
    check: async (test) => {
      const { conversations } = await test.open();
      for (const [index, id] of difficultIds.entries()) await conversations.save(id, saying(`${index}`));
      for (const [index, id] of difficultIds.entries()) deepEqual(await conversations.load(id), saying(`${index}`));
    },
  },
  {
    title: "rejects an empty id of a conversation",
    check: async (test) => {
      const { conversations } = await test.open();
      await rejects(async () => conversations.load(""), isTypeError);
      await rejects(async () => conversations.save("", saying("Hello")), isTypeError);
      await rejects(async () => conversations.delete(""), isTypeError);
    },
  },
  {
    title: "has conversations after it was closed and opened again",
    needs: "persistent",
    check: async (test) => {
      await (await test.open()).conversations.save("user-42", saying("Hello"));
      deepEqual(await (await test.reopen()).conversations.load("user-42"), saying("Hello"));
    },
  },
  {
    title: "saves for one of fifty in two processes",
    needs: "shared",
    check: async (test) => {
      const storages = [await test.open(), await test.open()];
      const writers = Array.from({ length: 50 }, (_, index) => saying(`${index}`));
      const outcomes = await Promise.allSettled(writers.map(async (one, index) => storages[index % 2]?.conversations.save("user-42", one)));
      equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
      for (const outcome of outcomes) ok(outcome.status === "fulfilled" || isConflict(outcome.reason as Error));
    },
  },
  {
    title: "loads what another process saved",
    needs: "shared",
    check: async (test) => {
      const [one, other] = [await test.open(), await test.open()];
      await one.conversations.save("user-42", saying("Hello"));
      deepEqual(await other.conversations.load("user-42"), saying("Hello"));
    },
  },
];
