import { equal } from "node:assert/strict";
import { sha256 } from "../../platform/index.js";
import { type Case, minute } from "./storage-under-test.js";

const id = (name: string): string => sha256(name);
const later = (): string => new Date(Date.now() + 60 * minute).toISOString();

/** `DecisionClaims`. */
export const claimCases: readonly Case[] = [
  {
    title: "claims a decision for the first who asks",
    check: async (test) => {
      const { claims } = await test.open();
      equal(await claims.has?.(id("a")), claims.has && false);
      equal(await claims.claim([id("a")], later()), true);
      equal(await claims.claim([id("a")], later()), false);
      equal(await claims.claim([id("b")], later()), true);
      equal(await claims.has?.(id("a")), claims.has && true);
    },
  },
  {
    title: "claims all decisions or none",
    check: async (test) => {
      const { claims } = await test.open();
      equal(await claims.claim([id("b")], later()), true);
      equal(await claims.claim([id("a"), id("b"), id("c")], later()), false);
      equal(await claims.claim([id("a")], later()), true);
      equal(await claims.claim([id("c"), id("d")], later()), true);
    },
  },
  {
    title: "claims decisions for one of a hundred who ask at once",
    check: async (test) => {
      const { claims } = await test.open();
      const answers = await Promise.all(Array.from({ length: 100 }, () => claims.claim([id("a"), id("b")], later())));
      equal(answers.filter((answer) => answer === true).length, 1);
      equal(answers.filter((answer) => answer === false).length, 99);
    },
  },
  {
    title: "knows claims after it was closed and opened again",
    needs: "persistent",
    check: async (test) => {
      equal(await (await test.open()).claims.claim([id("a")], later()), true);
      equal(await (await test.reopen()).claims.claim([id("a")], later()), false);
    },
  },
  {
    title: "claims a decision for one of many in two processes",
    needs: "shared",
    check: async (test) => {
      const storages = [await test.open(), await test.open()];
      const ids = [
        [id("a"), id("b")],
        [id("b"), id("a")],
      ];
      const asked = Array.from({ length: 40 }, (_, index) => storages[index % 2]?.claims.claim(ids[index % 2] ?? [], later()));
      equal((await Promise.all(asked)).filter((answer) => answer === true).length, 1);
    },
  },
];
