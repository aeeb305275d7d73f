import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ask } from "../../studio/studio.js";
import { testDirectory } from "../../support/storage-programs.js";
import { until } from "../../support/until.js";
import { compileProgram, modules, ran, Running } from "./program.js";

const directory = testDirectory("toolwright-studio");
const file = join(directory, "shop.mjs");

/** Writes the module, whose tool returns a word. */
function write(word: string, secondsLater: number): void {
  const library = JSON.stringify(pathToFileURL(join(modules, "library.js")).href);
  writeFileSync(
    file,
    `import { Agent, createTool, model, usesTools } from ${library};
     const inputSchema = { type: "object", properties: { name: { type: "string" } } };
     export const greet = createTool({ name: "greet", description: "Greets. Use to greet.", inputSchema, execute: () => "${word}" });
     export class ShopAgent extends Agent {}
     model("embedded/keyword")(ShopAgent);
     usesTools([greet])(ShopAgent);`,
  );
  changed(secondsLater);
}

/** The times of files may have whole seconds. */
function changed(secondsLater: number): void {
  const time = new Date(Date.now() + secondsLater * 1_000);
  utimesSync(file, time, time);
}

let running: Running;
let studio: { readonly port: number; readonly token: string };
beforeAll(async () => {
  compileProgram();
  write("Hello", -60);
  running = new Running(["studio", file, "--port", "0", "--json"]);
  await until(() => running.output.trimEnd().endsWith("}"));
  const { port, hash } = new URL(JSON.parse(running.output).url);
  studio = { port: Number(port), token: hash.slice("#token=".length) };
}, 60_000);
afterAll(() => running.kill());

const overview = async () => (await ask(studio, "/api/studio")).json;

/** Asks for a fresh process, and waits until it answers. */
async function loadAgain(): Promise<void> {
  const before = (await ask(studio, "/api/restart", {})).json.process;
  for (let isSame = true; isSame; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    isSame = await overview().then(
      (shown) => shown.process === before,
      () => true,
    );
  }
}

const called = async () => (await ask(studio, "/api/tools/greet/calls", { arguments: {}, context: {} })).events.at(-1);

it("loads a module that changed, at the same address, and keeps the chats", async () => {
  const { chat } = (await ask(studio, "/api/agents/shop_agent/chats", {})).json;
  const { events } = await ask(studio, `/api/chats/${chat}/messages`, { prompt: "Greet", context: {} });
  expect(events.at(-1).event).toMatchObject({ type: "done", reason: "success" });
  const { messages } = (await ask(studio, `/api/chats/${chat}`)).json;

  write("Good morning", 60);
  expect((await overview()).changedFiles).toEqual([expect.stringContaining("shop.mjs")]);
  expect(await called()).toMatchObject({ data: "Hello" });
  await loadAgain();
  expect(await called()).toMatchObject({ data: "Good morning" });
  expect((await ask(studio, `/api/chats/${chat}`)).json).toEqual({ messages });
  const again = await ask(studio, `/api/chats/${chat}/messages`, { prompt: "Greet again", context: {} });
  expect(again.events.map(({ event }) => event)).toContainEqual(expect.objectContaining({ type: "tool_result", data: "Good morning" }));
}, 60_000);

describe("files that a module imports", () => {
  const names = ["words.mjs", "prices.cjs", "taxes.cjs", "node_modules/currency/index.js"];
  const texts = [
    'import "./prices.cjs"; export const word = "Hello";',
    'require("./taxes.cjs"); require("currency");',
    "exports.tax = 20;",
    "exports.currency = 'euro';",
  ];
  const pathOf = (name: string) => join(directory, name);
  const touch = (path: string, secondsLater: number): void => {
    const time = new Date(Date.now() + secondsLater * 1_000);
    utimesSync(path, time, time);
  };
  beforeAll(async () => {
    mkdirSync(pathOf("node_modules/currency"), { recursive: true });
    for (const [index, name] of names.entries()) writeFileSync(pathOf(name), texts[index] ?? "");
    for (const name of names) touch(pathOf(name), -60);
    write("Hello", -60);
    writeFileSync(file, `import "./words.mjs";\n${readFileSync(file, "utf8")}`);
    changed(-60);
    await loadAgain();
  });

  it.each(["words.mjs", "prices.cjs", "taxes.cjs"])("names %s when it changed", async (name) => {
    expect((await overview()).changedFiles).toEqual([]);
    touch(pathOf(name), 60);
    expect((await overview()).changedFiles).toEqual([expect.stringMatching(new RegExp(`${name}$`))]);
    touch(pathOf(name), -60);
  });

  it("names a file that was removed", async () => {
    rmSync(pathOf("words.mjs"));
    expect((await overview()).changedFiles).toEqual([expect.stringMatching(/words\.mjs$/)]);
  });

  it("leaves installed packages out", async () => {
    writeFileSync(pathOf("words.mjs"), texts[0] ?? "");
    touch(pathOf("words.mjs"), -60);
    touch(pathOf("node_modules/currency/index.js"), 60);
    expect((await overview()).changedFiles).toEqual([]);
  });
});

it("shows why a module can't be loaded, and loads it once it is corrected", async () => {
  writeFileSync(file, "export const broken = ;");
  await loadAgain();
  const broken = await overview();
  expect(broken).toMatchObject({ tools: [], canRestart: true });
  expect(broken.problem).toContain("The modules can't be loaded");
  write("Good evening", -60);
  await loadAgain();
  expect(await overview()).toMatchObject({ tools: [{ name: "greet" }], changedFiles: [] });
  expect((await overview()).problem).toBeUndefined();
}, 60_000);

it("goes on when a tool throws outside of its call, and prints the error", async () => {
  const late = 'execute: () => { setTimeout(() => { throw new Error("too late"); }); return "called"; }';
  const text = readFileSync(file, "utf8").replace(/execute: \(\) => "[^"]*"/, late);
  writeFileSync(file, text);
  changed(-60);
  await loadAgain();
  expect(await called()).toMatchObject({ data: "called" });
  await until(() => running.errors.includes("too late"));
  expect(running.errors).toContain("code of a module or of the studio threw outside of any call, and the studio goes on");
  expect(await called()).toMatchObject({ data: "called" });
}, 60_000);

it("ends both processes on Ctrl-C, and the second if the first is killed", async () => {
  const other = new Running(["studio", file, "--port", "0", "--json"]);
  await until(() => other.output.trimEnd().endsWith("}"));
  other.process.kill("SIGINT");
  expect(await other.exited).toBe(130);
  await running.kill();
  await expect(overview()).rejects.toThrow("ECONNREFUSED");
}, 60_000);

describe("before the studio answers", () => {
  it("ends if code of a module throws outside of its import", async () => {
    const broken = join(directory, "late.mjs");
    writeFileSync(
      broken,
      'setTimeout(() => { throw new Error("no connection"); }); await new Promise(() => setTimeout(() => {}, 60_000));',
    );
    const other = new Running(["studio", broken, "--port", "0"]);
    expect(await other.exited).toBe(1);
    expect(other.errors).toContain("code of a module threw outside of any call: Error: no connection");
  }, 60_000);
});

describe("TypeScript", () => {
  const shop = join(directory, "typed.mts");
  const imported = join(directory, "typed-price.mts");
  const started = async (entry: string) => {
    const other = new Running(["studio", entry, "--port", "0", "--json"]);
    await Promise.race([until(() => other.output.trimEnd().endsWith("}")), other.exited]);
    return other;
  };
  const placeOf = ({ output }: Running) => {
    const { port, hash } = new URL(JSON.parse(output).url);
    return { port: Number(port), token: hash.slice("#token=".length) };
  };
  beforeAll(() => {
    const library = JSON.stringify(pathToFileURL(join(modules, "library.js")).href);
    writeFileSync(imported, "export const price: number = 3;");
    writeFileSync(
      shop,
      `import { createTool } from ${library};
       import { price } from "./typed-price.mjs";
       const inputSchema = { type: "object", properties: {} };
       export const apple = createTool({ name: "apple", description: "The price of an apple.", inputSchema, execute: (): number => price });`,
    );
  });

  it("is compiled, and its imported files are named when they changed", async () => {
    const other = await started(shop);
    const place = placeOf(other);
    const { events } = await ask(place, "/api/tools/apple/calls", { arguments: {}, context: {} });
    expect(events.at(-1)).toMatchObject({ data: 3 });
    const time = new Date(Date.now() + 60_000);
    utimesSync(imported, time, time);
    expect((await ask(place, "/api/studio")).json.changedFiles).toEqual([expect.stringMatching(/typed-price\.mts$/)]);
    await other.kill();
  }, 60_000);

  it("is loaded by Node alone, as in other commands, if JavaScript imports it", async () => {
    const entry = join(directory, "imports-typed.mjs");
    writeFileSync(entry, readFileSync(shop, "utf8").replace("(): number", "()").replace("typed-price.mjs", "typed-price.mts"));
    const { exitCode, errors } = await ran(["list", entry, "--json"]);
    const other = await started(entry);
    const isLoaded = other.output.includes('"url"');
    expect(isLoaded).toBe(exitCode === 0);
    if (!isLoaded) {
      await other.exited;
      expect(other.errors).toBe(errors);
    }
    await other.kill();
  }, 60_000);
});
