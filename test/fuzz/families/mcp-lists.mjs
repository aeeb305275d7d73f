import { filled } from "./build.mjs";
import { connect, prepare } from "./hostile-server.mjs";
import { checkWords } from "./named-errors.mjs";

/** Characters of all definitions that one message lists. */
const cap = 1_500_000;

const definitions = {
  longDescriptions: (_, length) =>
    Array.from({ length: length / 60_000 }, (_, index) => ({
      name: `tool${index}`,
      description: filled("\u200bx\u202e", 59_000),
      inputSchema: { type: "object" },
    })),
  manyTools: (_, length) =>
    Array.from({ length: length / 200 }, (_, index) => ({
      name: `tool${index}`,
      description: "A tool.",
      inputSchema: { type: "object", properties: { a: { type: "string" } } },
    })),
  odd: (random, length) =>
    Array.from({ length: length / 100 }, () =>
      random.pick([null, 1, "a", {}, { name: 1 }, { name: "a" }, { name: filled("n", 500), inputSchema: {} }]),
    ),
  wideSchemas: (_, length) =>
    Array.from({ length: length / 64_000 }, (_, index) => ({
      name: `tool${index}`,
      description: "A tool.",
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`property${at}`, { type: "string" }])),
      },
    })),
};

export const family = {
  title: "lists of MCP tools",
  judged: ["block", "growth", "memory"],
  shapes: Object.fromEntries(
    Object.entries(definitions).map(([name, write]) => [
      name,
      async (random, share) => {
        await prepare({ listed: write(random, cap * share) });
        return async () => {
          const toolbox = await connect();
          for (const { reason } of toolbox.refused.slice(0, 100)) checkWords(reason);
          await toolbox.close();
        };
      },
    ]),
  ),
};
