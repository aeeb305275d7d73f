/** TypeScript that is compiled to CommonJS, as most projects with Nest have it: it requires TypeScript, and imports an ES module. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, run } from "./program.mjs";

/** Loads such modules in a folder of a project of `init`, which has @swc/core. */
export function tryCommonJs(project) {
  const folder = join(project, "common-js");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const toolwright = (...parameters) => run(resolve(project, "node_modules/.bin/toolwright"), parameters, folder);
  expect(
    toolwright("call", "find_orders", "--status", "closed", "-m", "shop.ts"),
    "closed: 3 in shop.ts",
    "a class that requires and imports",
  );
  const lists = { "shop.ts": ["find_orders", "all_orders"], "whole.ts": ["ping"] };
  for (const [module, names] of Object.entries(lists)) for (const name of names) expect(toolwright("list", module), name, module);
}

const files = {
  "package.json": '{ "type": "commonjs" }',
  "tsconfig.json": '{ "compilerOptions": { "module": "commonjs", "experimentalDecorators": true, "emitDecoratorMetadata": true } }',
  "status.ts": 'export enum Status { Open = "open", Closed = "closed" }',
  "prices.mts": "export const price: number = 3;",
  "shop.ts": `import { basename } from "node:path";
    import { description, optional, Tool } from "toolwright";
    import { Status } from "./status";

    @description("Finds orders. Use when the user asks about orders.")
    export class FindOrders extends Tool {
      @optional({ enum: Status }) status?: Status;
      async call() {
        const { price } = await import("./prices.mjs");
        return \`\${this.status}: \${price} in \${basename(__filename)}\`;
      }
    }

    @description("Lists orders. Use when the user asks for all orders.")
    export default class AllOrders extends Tool {
      call() {
        return "all";
      }
    }`,
  "whole.ts": `import { createTool } from "toolwright";
    export = [createTool("ping", "Answers. Use to see that it works.", { type: "object" }, () => "pong")];`,
};
