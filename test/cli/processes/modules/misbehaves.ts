import { createTool } from "../../../../src/index.js";

export const wait = createTool("wait", "Waits. Use when there is time.", { type: "object" }, () => {
  setTimeout(() => {
    throw new Error("The connection is lost.");
  });
  return new Promise(() => undefined);
});

export const hang = createTool({
  name: "hang",
  description: "Waits for what never comes. Use never.",
  inputSchema: { type: "object" },
  timeout: Number.POSITIVE_INFINITY,
  execute: () => new Promise(() => undefined),
});
