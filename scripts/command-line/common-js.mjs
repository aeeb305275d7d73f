/** TypeScript in CommonJS, as most projects with Nest and TypeORM have it, with files of the other format beside it. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, run } from "./program.mjs";

/** Loads such modules in a folder of a project of `init`, which has @swc/core. */
export function tryCommonJs(project) {
  const folder = join(project, "common-js");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  symlinkSync("modern/tools.ts", join(folder, "linked.ts"));
  const toolwright = (...parameters) => run(resolve(project, "node_modules/.bin/toolwright"), parameters, folder);
  for (const [module, tool, parameters, answer] of calls) expect(toolwright("call", tool, ...parameters, "-m", module), answer, module);
  for (const [module, ...names] of lists) for (const name of names) expect(toolwright("list", module), name, module);
}

const calls = [
  ["shop.ts", "find_orders", ["--status", "closed"], "closed: 3 in shop.ts"],
  ["whole.ts", "ping", [], "pong"],
  ["later.ts", "price", [], "3"],
  ["linked.ts", "modern", [], "modern"],
  ["circle.ts", "relations", [], "Order Line"],
  ["names.mts", "names", [], "open 3"],
  ["apps/api/tools.ts", "place", [], "api"],
  ["whole-import.ts", "called", [], "called"],
];

const lists = [["shop.ts", "find_orders", "all_orders"]];

const tool = (name, execute) => `createTool("${name}", "Answers. Use to see that it works.", { type: "object" }, ${execute})`;
const decorators = { experimentalDecorators: true, emitDecoratorMetadata: true };
const compilerOptions = { module: "commonjs", target: "es2022", esModuleInterop: false, ...decorators };

const files = {
  "package.json": '{ "type": "commonjs" }',
  "tsconfig.json": JSON.stringify({ compilerOptions }),
  "status.ts": 'export const count = 3; export enum Status { Open = "open", Closed = "closed" }',
  "prices.mts": "export const price: number = 3;",

  // Requires TypeScript, and imports an ES module.
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
  "whole.ts": `import { createTool } from "toolwright"; export = [${tool("ping", '() => "pong"')}];`,

  // JavaScript, as of a library, imports TypeScript.
  "later.js": 'exports.load = () => import("./prices.mts");',
  "later.ts": `import { createTool } from "toolwright"; import { load } from "./later.js";
    export const price = ${tool("price", "async () => (await load()).price")};`,

  // A link to a file of another format.
  "modern/package.json": '{ "type": "module" }',
  "modern/tools.ts": `import { createTool } from "toolwright"; const name: string = await Promise.resolve("modern");
    export const modern = ${tool("modern", "() => name")};`,

  // Two classes that name each other.
  "relation.ts": "export const Relation = (type: () => Function) => (_: object, __: string) => void type;",
  "order.ts":
    'import { Line } from "./line"; import { Relation } from "./relation"; export class Order { @Relation(() => Line) line!: Line; }',
  "line.ts":
    'import { Order } from "./order"; import { Relation } from "./relation"; export class Line { @Relation(() => Order) order!: Order; }',
  "circle.ts": `import { createTool } from "toolwright"; import { Order } from "./order"; import { Line } from "./line";
    export const relations = ${tool("relations", "() => [Order.name, Line.name].join(' ')")};`,

  // An ES module imports names from CommonJS.
  "names.mts": `import { createTool } from "toolwright"; import { count, Status } from "./status.js"; import path = require("node:path");
    export const names = ${tool("names", "() => [path.basename(Status.Open), count].join(' ')")};`,

  // A package that is a function, imported as TypeScript does without esModuleInterop.
  "node_modules/called/package.json": '{ "name": "called", "version": "1.0.0" }',
  "node_modules/called/index.js": 'module.exports = () => "called";',
  "called.d.ts": 'declare module "called" { function called(): string; export = called; }',
  "whole-import.ts": `import { createTool } from "toolwright"; import * as fromPackage from "called";
    export const called = ${tool("called", "() => fromPackage()")};`,

  // Nx: the options are in a file that tsconfig.json refers to.
  "apps/tsconfig.base.json": JSON.stringify({ compilerOptions: { ...compilerOptions, module: "esnext" } }),
  "apps/api/package.json": "{}",
  "apps/api/tsconfig.json": JSON.stringify({ extends: "../tsconfig.base.json", files: [], references: [{ path: "./tsconfig.app.json" }] }),
  "apps/api/tsconfig.app.json": JSON.stringify({
    extends: "./tsconfig.json",
    compilerOptions: { module: "commonjs" },
    include: ["**/*.ts"],
  }),
  "apps/api/tools.ts": `import { createTool } from "toolwright"; import { basename } from "node:path";
    export const place = ${tool("place", "() => basename(__dirname)")};`,
};
