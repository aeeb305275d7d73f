import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import { createTool } from "../../src/index.js";

/** Faults that users of like libraries met with what tools return. */

const call = (execute: () => unknown) =>
  new ToolExecutor({ tools: [createTool({ name: "give", description: "Gives.", inputSchema: { type: "object" }, execute })] }).call(
    { id: "c1", name: "give", arguments: {} },
    createRunScope(),
  );

it("case 55: a Date in a result is text once and for all", async () => {
  expect(await call(() => ({ at: new Date(0) }))).toMatchObject({ data: { at: "1970-01-01T00:00:00.000Z" } });
});

it("case 56: undefined as a result, or in one, never becomes missing content", async () => {
  const nothing = await call(() => undefined);
  expect(nothing).toMatchObject({ data: null });
  expect(modelText(nothing)).toBe("null");
  expect(await call(() => [{ a: undefined }])).toMatchObject({ data: [{}] });
});

it("case 58: a huge result is capped in one place, head and tail kept, with the numbers; errors too", async () => {
  const result = await call(() => `head${"x".repeat(5e6)}tail`);
  const text = modelText(result);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50_000);
  expect(text).toMatch(/^headx/);
  expect(text).toMatch(/xtail$/);
  expect(text).toMatch(/5,?000,?008|5000008/);
  const error = await call(() => {
    throw new Error("y".repeat(5e6));
  });
  expect(Buffer.byteLength(modelText(error))).toBeLessThanOrEqual(50_100);
  const emoji = modelText(await call(() => "😀".repeat(1e6)));
  expect(emoji.isWellFormed()).toBe(true);
});
