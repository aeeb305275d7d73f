/**
 * Where people run the library: runtimes, bundlers and test runners, each with a program of `checks.ts`. A check works, or is refused
 * with an error that names the fix if the cell says so.
 */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** What the checks need beside the library. */
const peers = {
  "@ai-sdk/openai": "4.0.118",
  "@modelcontextprotocol/server": "2.4.0",
  "class-transformer": "0.5.1",
  "class-validator": "0.15.1",
  piscina: "5.3.2",
  typedi: "0.10.0",
};
const swc = { "@swc/cli": "0.8.1", "@swc/core": "1.16.22" };
const typescript = { typescript: "5.9.3", "@types/node": "24.0.0" };
const webpack = { ...swc, "swc-loader": "0.2.7", webpack: "5.113.0" };
const rspack = { "@rspack/core": "2.3.4" };
const rollup = {
  "@rollup/plugin-commonjs": "29.0.3",
  "@rollup/plugin-node-resolve": "16.0.3",
  "@rollup/plugin-swc": "0.4.1",
  "@rollup/plugin-json": "6.1.0",
  ...swc,
  rollup: "4.68.8",
};
const bundlers = { esbuild: "0.28.2", ...webpack, ...rspack, ...rollup, vite: "8.4.0", "vite-7": "npm:vite@7.3.8" };

const platform = `${process.platform}-${process.arch}`;
const deno = { "linux-x64": "@deno/linux-x64-glibc", "linux-arm64": "@deno/linux-arm64-glibc" }[platform] ?? `@deno/${platform}`;
const bun = `@oven/bun-${platform.replace("arm64", "aarch64")}`;

/** By the name of the folder that they are installed in. Each has a Node of its own, for which npm carries the binaries. */
export const toolSets = {
  "node-20": { node: "20.20.2", ...peers, "@ai-sdk/openai": "3.0.141", ...swc },
  "node-22": { node: "22.23.3", ...peers, ...swc },
  "node-24": { node: "24.21.0", ...peers, ...swc },
  "node-26": { node: "26.10.0", ...peers, ...swc },
  bundlers: { node: "24.21.0", ...peers, ...bundlers },
  "bundlers-alone": { node: "24.21.0", ...bundlers },
  bun: { node: "24.21.0", ...peers, [bun]: "1.4.5" },
  deno: { node: "24.21.0", ...peers, [deno]: "2.9.6" },
  workerd: { node: "24.21.0", ...peers, esbuild: "0.28.2", miniflare: "4.20260730.0" },
  next: {
    node: "24.21.0",
    ...peers,
    next: "16.4.6",
    react: "19.2.0",
    "react-dom": "19.2.0",
    typescript: "5.9.3",
    "@types/node": "24.0.0",
    "@types/react": "19.2.0",
  },
  // The lowest of each range in package.json's peerDependencies, with the Node of their time; and the newest.
  "peers-lowest": {
    node: "20.20.2",
    "@ai-sdk/openai": "2.0.0",
    "@langchain/core": "1.0.1",
    "@langchain/langgraph": "1.0.0",
    "@modelcontextprotocol/client": "2.4.0",
    "@modelcontextprotocol/server": "2.4.0",
    "@nestjs/common": "10.4.0",
    "@nestjs/core": "10.4.0",
    "@openai/agents": "0.3.0",
    "@opentelemetry/api": "1.9.0",
    "@opentelemetry/sdk-trace-base": "2.0.0",
    ai: "6.0.0",
    cheerio: "1.0.0",
    "class-transformer": "0.5.1",
    "class-validator": "0.14.0",
    "magic-string": "0.30.0",
    "oxc-parser": "0.120.0",
    pg: "8.11.0",
    piscina: "5.0.0",
    "reflect-metadata": "0.1.13",
    rxjs: "7.8.0",
    typedi: "0.10.0",
    unplugin: "3.0.0",
    yaml: "2.0.0",
    zod: "3.25.76",
    ...typescript,
    ...swc,
    "@swc/core": "1.7.0",
  },
  "peers-newest": {
    node: "26.10.0",
    ...peers,
    "@langchain/core": "1.4.0",
    "@langchain/langgraph": "1.7.3",
    "@modelcontextprotocol/client": "2.4.0",
    "@nestjs/common": "12.5.1",
    "@nestjs/core": "12.5.1",
    "@openai/agents": "0.20.0",
    "@opentelemetry/api": "1.10.0",
    "@opentelemetry/sdk-trace-base": "npm:@opentelemetry/sdk-trace@3.1.1",
    ai: "7.0.173",
    cheerio: "1.2.0",
    "magic-string": "1.4.5",
    "oxc-parser": "0.159.0",
    pg: "8.23.1",
    "reflect-metadata": "0.2.2",
    rxjs: "7.8.2",
    unplugin: "3.7.0",
    yaml: "2.9.1",
    zod: "4.6.7",
    ...typescript,
    ...swc,
  },
  mastra: { node: "24.21.0", "@mastra/core": "1.71.0", ai: "7.0.173", zod: "4.6.7" },
  "vitest-3": { node: "24.21.0", ...peers, vitest: "3.2.7" },
  "vitest-4": { node: "24.21.0", ...peers, vitest: "4.1.12" },
  "vitest-5": { node: "24.21.0", ...peers, vitest: "5.1.2" },
};

const options = { target: "ES2022", module: "ESNext", moduleResolution: "bundler", strict: true, skipLibCheck: true, types: ["node"] };
const legacy = { experimentalDecorators: true, emitDecoratorMetadata: true };
const tsconfig = { "tsconfig.json": json({ compilerOptions: { ...options, ...legacy, noEmit: true }, include: ["src", "app"] }) };
const swcOptions = {
  jsc: {
    parser: { syntax: "typescript", decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: "es2022",
  },
};
const swcrc = { ".swcrc": json({ ...swcOptions, module: { type: "nodenext" } }) };
const names = ["README program"];
const injection = ["Injection by constructor"];

/** One place. `entry` is the program of this folder that runs there. */
function cell(name, tools, files, run, refused = [], entry = "main.ts") {
  const place = entry === "route.ts" ? "app/api" : "src";
  const sources = { [entry]: `${place}/${entry === "route.ts" || entry === "checks.test.ts" ? entry : "main.ts"}` };
  for (const shared of ["checks.ts", "node-checks.ts", "readme.ts"]) sources[shared] = `${place}/${shared}`;
  sources["isolated.mjs"] = "isolated.mjs";
  return { name, tools, files: { "package.json": json({ type: "module" }), ...tsconfig, ...files }, run, refused, sources };
}

const node = (major) =>
  cell(`Node ${major}`, `node-${major}`, swcrc, "swc src -d dist --strip-leading-paths && node --pending-deprecation dist/main.js");

/** Compiled by swc, and run as it is. */
const program = (name, tools, entry, refused = []) => {
  const run = "swc src -d dist --strip-leading-paths && node --pending-deprecation dist/main.js";
  const made = cell(name, tools, swcrc, run, refused, entry);
  return { ...made, listed: true, sources: { ...made.sources, "mcp-server.ts": "src/mcp-server.ts" } };
};

/** The compiler checks the program first. */
const typed = (made) => ({ ...made, run: `tsc -p . && ${made.run}` });

const config = (text) => `${text.trim()}\n`;

const webpackRun = (name) => `
import bundler from "${name}";
import config from "./bundle.config.mjs";
bundler(config, (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString({ all: false, errors: true }));
});
`;
const webpackConfig = (loader, loaderOptions, format) =>
  config(`
export default {
  mode: "production",
  target: "node20",
  devtool: false,
  entry: "./src/main.ts",
  resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
  module: { rules: [{ test: /\\.ts$/, loader: "${loader}", options: ${JSON.stringify(loaderOptions)} }] },
  ${format === "cjs" ? 'output: { filename: "main.cjs" },' : 'experiments: { outputModule: true },\n  output: { filename: "main.mjs", module: true, chunkFormat: "module" },'}
};
`);
const webpackCell = (name, tools, format, packageName, loader, loaderOptions, refused, entry) =>
  cell(
    name,
    tools,
    { "bundle.config.mjs": webpackConfig(loader, loaderOptions, format), "bundle.mjs": webpackRun(packageName) },
    `node bundle.mjs && node dist/main.${format === "cjs" ? "cjs" : "mjs"}`,
    refused,
    entry,
  );

const rollupConfig = config(`
import commonjs from "@rollup/plugin-commonjs";
import json from "@rollup/plugin-json";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import swc from "@rollup/plugin-swc";
export default {
  input: "src/main.ts",
  output: { dir: "dist", entryFileNames: "main.js", format: "es" },
  plugins: [{ name: "typescript", resolveId: (id, from) => (from?.endsWith(".ts") && id.startsWith("./") ? new URL(id.replace(/\\.js$/, ".ts"), "file://" + from).pathname : null) }, nodeResolve({ preferBuiltins: true }), commonjs(), json(), swc({ swc: ${JSON.stringify(swcOptions)} })],
};
`);
const vite = (name) =>
  config(`
import { build } from "${name}";
await build({ logLevel: "warn", configFile: false, ssr: { noExternal: true }, build: { ssr: "src/main.ts", outDir: "dist", minify: true } });
`);
const esbuild = (flags) =>
  `esbuild src/main.ts --bundle --platform=node --target=es2022 --format=esm ${flags}--outfile=dist/main.mjs --log-level=warning && node dist/main.mjs`;
/** What AWS's tools write: one file, as CommonJS, since many packages in it call \`require\`. */
const lambda = (flags) =>
  `esbuild src/main.ts --bundle --platform=node --target=node22 --format=cjs --minify ${flags}--outfile=dist/main.cjs --log-level=warning && node dist/main.cjs`;

const miniflare = config(`
import { build } from "esbuild";
import { Miniflare } from "miniflare";
// As wrangler bundles a worker.
await build({ entryPoints: ["src/main.ts"], outfile: "dist/worker.mjs", bundle: true, format: "esm", target: "es2022", conditions: ["workerd", "worker", "browser"], external: ["node:*", "cloudflare:*"], alias: Object.fromEntries(["util", "crypto", "buffer", "events", "stream", "path", "url", "fs", "os"].map((name) => [name, "node:" + name])), define: { "process.env.NODE_ENV": '"production"' } });
const worker = new Miniflare({ modules: [{ type: "ESModule", path: "dist/worker.mjs" }], compatibilityDate: "2026-07-01", compatibilityFlags: ["nodejs_compat"] });
console.log(await (await worker.dispatchFetch("http://localhost/")).text());
await worker.dispose();
`);

const bunBundle = (name, flags, run) =>
  cell(name, "bun", {}, `../node_modules/${bun}/bin/bun build src/main.ts ${flags} --outfile=dist/main.js && ${run}`);

const nextFiles = {
  "next.config.mjs": config(`
import { dirname } from "node:path";
const root = dirname(import.meta.dirname);
export default { typescript: { ignoreBuildErrors: true }, turbopack: { root }, outputFileTracingRoot: root };
`),
};
const next = (flag) => `next build ${flag} >build.log 2>&1 || { cat build.log; exit 1; }; node serve.mjs`;
const serve = config(`
import { spawn } from "node:child_process";
const port = 20_000 + (process.pid % 20_000);
const server = spawn("node", ["../node_modules/next/dist/bin/next", "start", "-p", String(port)], { stdio: "inherit" });
for (let attempt = 0; attempt < 100; attempt += 1) {
  const answer = await fetch("http://localhost:" + port + "/api").catch(() => undefined);
  if (answer) { console.log(await answer.text()); break; }
  await new Promise((resolve) => setTimeout(resolve, 200));
}
server.kill();
`);

const vitest = (major, refused, vitestConfig = {}) =>
  cell(
    `Vitest ${major}`,
    `vitest-${major}`,
    { "vitest.config.mjs": `export default ${JSON.stringify({ test: { globals: true }, ...vitestConfig }, null, 2)};\n` },
    "vitest run --disable-console-intercept",
    refused,
    "checks.test.ts",
  );

const rspackLoader = ["builtin:swc-loader", swcOptions];
const alone = "bundlers-alone";
const mcp = ["MCP server", "MCP client"];

/** Those of `npm run check`: the Node and the bundles that most people have. */
const core = new Set([
  "Node 24",
  "Node 24, type stripping",
  "Newest peers, Node 26",
  "webpack 5",
  "Rspack 2",
  "Rollup 4",
  "Vite 8",
  "esbuild for Lambda, minified",
  "webpack 5, no optional peer",
]);

export const cells = [
  ...[20, 22, 24, 26].map(node),
  ...[22, 24, 26].map((major) => cell(`Node ${major}, type stripping`, `node-${major}`, {}, "node src/main.ts", [], "stripped.ts")),
  ...[20, 22, 24, 26].map((major) => program(`Node ${major}, mocked timers of node:test`, `node-${major}`, "mocked-timers.ts")),
  typed(program("Lowest peers, Node 20", "peers-lowest", "peers.ts", ["zod"])),
  typed(program("Newest peers, Node 26", "peers-newest", "peers.ts")),
  cell("Mastra 1", "mastra", {}, "node src/main.ts", [], "mastra.ts"),
  cell("Bun", "bun", {}, `../node_modules/${bun}/bin/bun src/main.ts`),
  bunBundle("Bun, one file", "--target=bun", `../node_modules/${bun}/bin/bun dist/main.js`),
  bunBundle("Bun, one file for Node", "--target=node --conditions=module", "node dist/main.js"),
  cell(
    "Deno",
    "deno",
    { "deno.json": json({ nodeModulesDir: "manual", unstable: ["sloppy-imports"], compilerOptions: legacy }) },
    `../node_modules/${deno}/deno run -A --no-check src/main.ts`,
  ),
  cell("Cloudflare Workers (workerd)", "workerd", { "run.mjs": miniflare }, "node run.mjs", [...injection, "Model by name"], "worker.ts"),
  cell("Next, Turbopack", "next", { ...nextFiles, "serve.mjs": serve }, next("--turbopack"), names, "route.ts"),
  cell("Next, webpack", "next", { ...nextFiles, "serve.mjs": serve }, next("--webpack"), names, "route.ts"),
  webpackCell("webpack 5", "bundlers", "cjs", "webpack", "swc-loader", swcOptions, names),
  webpackCell("webpack 5, ES module", "bundlers", "esm", "webpack", "swc-loader", swcOptions, names),
  webpackCell("Rspack 2", "bundlers", "cjs", "@rspack/core", ...rspackLoader, names),
  cell("Rollup 4", "bundlers", { "rollup.config.mjs": rollupConfig }, "rollup -c --silent && node dist/main.js"),
  cell("Vite 7", "bundlers", { "build.mjs": vite("vite-7") }, "node build.mjs && node dist/main.js", [...names, ...injection]),
  cell("Vite 8", "bundlers", { "build.mjs": vite("vite") }, "node build.mjs && node dist/main.js", names),
  cell("esbuild", "bundlers", {}, esbuild(""), injection),
  cell("esbuild for Lambda, minified", "bundlers", {}, lambda(""), [...names, ...injection]),
  cell("esbuild for Lambda, minified, --keep-names", "bundlers", {}, lambda("--keep-names "), injection),
  vitest(3, injection),
  vitest(4, []),
  vitest(5, [], { oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } } }),
  webpackCell("webpack 5, no optional peer", alone, "cjs", "webpack", "swc-loader", swcOptions, [...names, ...mcp], "alone.ts"),
  webpackCell("Rspack 2, no optional peer", alone, "cjs", "@rspack/core", ...rspackLoader, [...names, ...mcp], "alone.ts"),
  cell(
    "Rollup 4, no optional peer",
    alone,
    { "rollup.config.mjs": rollupConfig },
    "rollup -c --silent && node dist/main.js",
    mcp,
    "alone.ts",
  ),
  cell(
    "Vite 7, no optional peer",
    alone,
    { "build.mjs": vite("vite-7") },
    "node build.mjs && node dist/main.js",
    [...names, ...mcp],
    "alone.ts",
  ),
  cell(
    "Vite 8, no optional peer",
    alone,
    { "build.mjs": vite("vite") },
    "node build.mjs && node dist/main.js",
    [...names, ...mcp],
    "alone.ts",
  ),
  cell("esbuild, no optional peer", alone, {}, esbuild(""), mcp, "alone.ts"),
].map((each) => ({ ...each, core: core.has(each.name) }));
