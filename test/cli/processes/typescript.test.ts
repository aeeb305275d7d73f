import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { testDirectory } from "../../support/storage-programs.js";
import { compileProgram, modules, ran } from "./program.js";

const directory = testDirectory("toolwright-typescript");

beforeAll(() => {
  compileProgram();
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "prices.json"), '{ "apple": 3 }');
  const library = JSON.stringify(pathToFileURL(join(modules, "library.js")).href);
  writeFileSync(
    join(directory, "shop.mts"),
    `import { createTool } from ${library};
     import prices from "./prices.json" with { type: "json" };
     const inputSchema = { type: "object", properties: {} };
     const price: number = prices.apple;
     export const apple = createTool({ name: "apple", description: "The price of an apple.", inputSchema, execute: () => price });`,
  );
}, 60_000);

it("loads a module that imports JSON", async () => {
  const { errors, output } = await ran(["call", "apple", "-m", "shop.mts", "--json"], directory);
  expect(errors).toBe("");
  expect(JSON.parse(output)).toMatchObject({ data: 3 });
}, 30_000);
