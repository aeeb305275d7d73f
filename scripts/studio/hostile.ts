import { createTool } from "toolwright";

/** Tools whose names of parameters, reports and texts a page must stand. */
export const oddNames = createTool({
  name: "odd_names",
  description: "Takes parameters that are named as members of each object. Use to try the form.",
  category: "read",
  inputSchema: {
    type: "object",
    properties: { constructor: { type: "string" }, toString: { type: "integer" } },
    additionalProperties: false,
  },
  execute: (input) => input,
});

export const logOften = createTool({
  name: "log_often",
  description: "Logs 100,000 lines. Use to try whether the page stays quick.",
  category: "read",
  timeout: 60_000,
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  execute: async (_input, { log }) => {
    for (let line = 1; line <= 100_000; line += 1) {
      log.info(`line ${line}`);
      if (line % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return "logged";
  },
});

export const payTo = createTool({
  name: "pay_to",
  description: "Pays somebody. Use to try how hidden characters are edited.",
  requiresConfirmation: true,
  inputSchema: { type: "object", properties: { payee: { type: "string" } }, required: ["payee"], additionalProperties: false },
  execute: ({ payee }) => `Paid ${payee}.`,
});
