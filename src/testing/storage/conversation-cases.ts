import { equal, rejects } from "node:assert/strict";
import type { StoredConversation } from "../../storage/index.js";
import { type Case, deepEqual, difficultIds, difficultTexts } from "./storage-under-test.js";

const saying = (...texts: readonly string[]): StoredConversation => ({
  version: 1,
  messages: texts.map((content) => ({ role: "user", content })),
});

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
    title: "gives conversations back as JSON has them",
    check: async (test) => {
      const { conversations } = await test.open();
      const conversation = { ...saying(...difficultTexts, "é".repeat(500_000)), state: { absent: undefined, none: null } };
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
    title: "loads what another process saved",
    needs: "shared",
    check: async (test) => {
      const [one, other] = [await test.open(), await test.open()];
      await one.conversations.save("user-42", saying("Hello"));
      deepEqual(await other.conversations.load("user-42"), saying("Hello"));
    },
  },
];
