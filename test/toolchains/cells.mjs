/**
 * The toolchains that the library is tried in: what they are configured with, how they are run, and which checks of
 * `checks/` are refused there. Everything else has to work.
 */

import { readFileSync } from "node:fs";

/** What the cells install beside the packed library. */
const tools = {
  "@swc/cli": "0.8.1",
  "@swc/core": "1.16.22",
  "@swc/jest": "0.2.39",
  "@types/jest": "30.0.0",
  "@types/node": "20.19.43",
  "@typescript/native": "npm:typescript@7.0.2",
  "class-transformer": "0.5.1",
  "class-validator": "0.15.1",
  esbuild: "0.28.2",
  jest: "30.5.2",
  "ts-jest": "29.4.15",
  tsx: "4.23.15",
  typedi: "0.10.0",
  typescript: "npm:@typescript/typescript6@6.0.2",
  vitest: "3.2.7",
};
const peers = Object.fromEntries(["class-transformer", "class-validator", "typedi"].map((name) => [name, tools[name]]));
const typescript = (version) => ({ "@types/node": tools["@types/node"], ...peers, typescript: version });

/** By the name of the folder that they are installed in: those of `tools` are for cells that name no others. */
export const toolSets = {
  tools,
  "typescript-5.2": typescript("5.2.2"),
  "typescript-5.9": typescript("5.9.3"),
  // Vitest 5 needs Node 22 and can't be installed beside Vitest 3.
  "vitest-5": { "@types/node": "22.20.5", ...peers, vitest: "5.1.2" },
  bundlers: {
    ...typescript(tools.typescript),
    "@rspack/cli": "2.2.8",
    "@rspack/core": "2.3.4",
    esbuild: tools.esbuild,
    "esbuild-loader": "4.5.0",
    "magic-string": "1.4.5",
    "oxc-parser": "0.159.0",
    rollup: "4.68.8",
    "rollup-plugin-esbuild": "6.2.1",
    unplugin: "3.7.0",
    vite: "7.3.8",
    webpack: "5.113.0",
    "webpack-cli": "7.3.1",
  },
};

const names = "Tool names";
const injection = "Injection by constructor (typedi)";
const inference = "Types left out";
const parameters = "Decorated parameters of call";
const dtos = "DTOs with @Type and @Transform";

const withoutTypes = [injection, inference];
const standardRefuses = [injection, inference, parameters, dtos];

const legacy = { experimentalDecorators: true, emitDecoratorMetadata: true };
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const tsconfig = (options) => ({ "tsconfig.json": json({ compilerOptions: options, include: ["src"] }) });
const node = { target: "ES2022", module: "NodeNext", strict: true, types: ["node"] };
const bundled = { target: "ES2022", module: "ESNext", moduleResolution: "bundler", strict: true, types: ["node"], noEmit: true };

/** The one that readers of the README paste. */
const pasted = { "tsconfig.json": /`tsconfig\.json`[^`]*```json\n([^`]+)```/.exec(readFileSync("README.md", "utf8"))[1] };

const modules = { esm: "module", cjs: "commonjs" };
const words = { esm: "ES modules", cjs: "CommonJS", legacy: "legacy", standard: "standard" };

/** One toolchain in one dialect and one kind of modules. `run` is a shell command in the cell's folder. */
function cell(toolchain, dialect, format, files, run, refused, rest = {}) {
  return {
    toolchain,
    dialect,
    modules: words[format],
    files: { "package.json": json({ type: modules[format] }), ...files },
    run,
    refused,
    ...rest,
  };
}

const tsc = (name, command, rest) =>
  ["esm", "cjs"].flatMap((format) => [
    cell(
      name,
      "legacy",
      format,
      // The other one looks into the declarations of the package too.
      format === "esm" ? pasted : tsconfig({ ...node, ...legacy, rootDir: "src", outDir: "dist" }),
      `${command} -p . && node dist/main.js`,
      [],
      rest,
    ),
    cell(
      name,
      "standard",
      format,
      tsconfig({ ...node, rootDir: "src", outDir: "dist" }),
      `${command} -p . && node dist/main.js`,
      standardRefuses,
      rest,
    ),
  ]);

const oldResolution = {
  target: "ES2022",
  module: "CommonJS",
  moduleResolution: "node10",
  ignoreDeprecations: "6.0",
  strict: true,
  types: ["node"],
};
const oldTsc = cell(
  "TypeScript 6, moduleResolution node10",
  "legacy",
  "cjs",
  tsconfig({ ...oldResolution, ...legacy, rootDir: "src", outDir: "dist" }),
  "tsc6 -p . && node dist/main.js",
  [],
);

const swcLegacy = {
  parser: { syntax: "typescript", decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: true },
  target: "es2022",
};
const swcStandard = { parser: { syntax: "typescript", decorators: true }, transform: { decoratorVersion: "2023-11" }, target: "es2022" };
const swcrc = (jsc, format) => ({ ".swcrc": json({ jsc, module: { type: format === "esm" ? "nodenext" : "commonjs" } }) });
const swc = (format) => [
  cell("swc", "legacy", format, swcrc(swcLegacy, format), "swc src -d dist --strip-leading-paths && node dist/main.js", []),
  cell(
    "swc",
    "standard",
    format,
    swcrc(swcStandard, format),
    "swc src -d dist --strip-leading-paths && node dist/main.js",
    standardRefuses,
  ),
];

const tsx = (format) => [
  cell("tsx", "legacy", format, tsconfig({ ...node, ...legacy, noEmit: true }), "tsx src/main.ts", withoutTypes),
  cell("tsx", "standard", format, tsconfig({ ...node, noEmit: true }), "tsx src/main.ts", standardRefuses),
];

const bundle = (format, flags) =>
  `esbuild src/main.ts --bundle --platform=node --target=es2022 --format=${format} ${flags}--outfile=dist/main.js && node dist/main.js`;
const esbuild = (name, flags, lost) =>
  ["esm", "cjs"].flatMap((format) => [
    cell(name, "legacy", format, tsconfig({ ...bundled, ...legacy }), bundle(format, flags), [...lost, ...withoutTypes]),
    cell(name, "standard", format, tsconfig(bundled), bundle(format, flags), standardRefuses),
  ]);

const jestConfig = (transform) => ({
  "jest.config.cjs": `module.exports = ${JSON.stringify({ moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" }, transform: { "^.+\\.ts$": transform } }, null, 2)};\n`,
});
const forJest = { target: "ES2022", module: "CommonJS", moduleResolution: "bundler", strict: true, types: ["node", "jest"] };
const jest = [
  cell("ts-jest", "legacy", "cjs", { ...jestConfig("ts-jest"), ...tsconfig({ ...forJest, ...legacy }) }, "jest", []),
  cell("ts-jest", "standard", "cjs", { ...jestConfig("ts-jest"), ...tsconfig(forJest) }, "jest", standardRefuses),
  cell("@swc/jest", "legacy", "cjs", jestConfig(["@swc/jest", { jsc: swcLegacy }]), "jest", []),
  cell("@swc/jest", "standard", "cjs", jestConfig(["@swc/jest", { jsc: swcStandard }]), "jest", standardRefuses),
];

const vitestConfig = (config) => ({
  "vitest.config.mjs": `export default ${JSON.stringify({ test: { globals: true }, ...config }, null, 2)};\n`,
});
const vitest = [
  cell("Vitest 3", "legacy", "esm", { ...vitestConfig({}), ...tsconfig({ ...bundled, ...legacy }) }, "vitest run", withoutTypes),
  cell("Vitest 3", "standard", "esm", { ...vitestConfig({}), ...tsconfig(bundled) }, "vitest run", standardRefuses),
  cell("Vitest 5", "legacy", "esm", vitestConfig({ oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } } }), "vitest run", [], {
    newer: true,
    tools: "vitest-5",
  }),
  cell("Vitest 5", "standard", "esm", { ...vitestConfig({}), ...tsconfig(bundled) }, "vitest run", [], {
    newer: true,
    tools: "vitest-5",
    broken: "Invalid or unexpected token",
  }),
];

/** Bundlers with the plug-in of `toolwright/bundler`, which writes the types that are left out. */
const withPlugin = (bundler, file, config, run) =>
  ["legacy", "standard"].map((dialect) =>
    cell(
      `${bundler} with explicitTypes`,
      dialect,
      "esm",
      { [file]: config(dialect), ...tsconfig(dialect === "legacy" ? { ...bundled, ...legacy } : bundled) },
      `${run} && node dist/main.js`,
      dialect === "legacy" ? [injection] : standardRefuses.filter((title) => title !== inference),
      { tools: "bundlers" },
    ),
  );

const viteWithPlugin = () => `import { explicitTypes } from "toolwright/bundler";

export default { plugins: [explicitTypes.vite()] };
`;
const rollupWithPlugin = () => `import esbuild from "rollup-plugin-esbuild";
import { explicitTypes } from "toolwright/bundler";

export default {
  input: "src/main.ts",
  output: { dir: "dist" },
  external: /^[^./]/,
  plugins: [explicitTypes.rollup(), esbuild({ target: "es2022" })],
};
`;
const esbuildWithPlugin = () => `import { build } from "esbuild";
import { explicitTypes } from "toolwright/bundler";

await build({
  entryPoints: ["src/main.ts"],
  bundle: true,
  platform: "node",
  target: "es2022",
  format: "esm",
  packages: "external",
  outfile: "dist/main.js",
  plugins: [explicitTypes.esbuild()],
});
`;
const packWithPlugin = (bundler, rule) => `import { explicitTypes } from "toolwright/bundler";

export default {
  mode: "production",
  target: "node20",
  entry: "./src/main.ts",
  output: { module: true, chunkFormat: "module", filename: "main.js" },${bundler === "webpack" ? "\n  experiments: { outputModule: true }," : ""}
  optimization: { minimize: false },
  externalsType: "module",
  externals: /^[^./]/,
  resolve: { extensions: [".ts", ".js"], extensionAlias: { ".js": [".ts", ".js"] } },
  module: { rules: [${rule}], parser: { javascript: { createRequire: false } } },
  plugins: [explicitTypes.${bundler}()],
};
`;
const esbuildLoader = '{ test: /\\.ts$/, loader: "esbuild-loader", options: { target: "es2022" } }';
const swcLoader = (dialect) => `{
      test: /\\.ts$/,
      loader: "builtin:swc-loader",
      options: {
        jsc: {
          parser: { syntax: "typescript", decorators: true },
          transform: { ${dialect === "legacy" ? "legacyDecorator: true" : 'decoratorVersion: "2022-03"'} },
          target: "es2022",
        },
      },
    }`;
const bundlers = [
  ...withPlugin("Vite", "vite.config.mjs", viteWithPlugin, "vite build --ssr src/main.ts"),
  ...withPlugin("Rollup", "rollup.config.mjs", rollupWithPlugin, "rollup -c"),
  ...withPlugin("esbuild", "build.mjs", esbuildWithPlugin, "node build.mjs"),
  ...withPlugin("webpack", "webpack.config.mjs", () => packWithPlugin("webpack", esbuildLoader), "webpack"),
  ...withPlugin("Rspack", "rspack.config.mjs", (dialect) => packWithPlugin("rspack", swcLoader(dialect)), "rspack build"),
];

export const cells = [
  ...tsc("TypeScript 5.2", "tsc", { tools: "typescript-5.2" }),
  ...tsc("TypeScript 5.9", "tsc", { tools: "typescript-5.9" }),
  ...tsc("TypeScript 6", "tsc6"),
  ...tsc("TypeScript 7", "tsc"),
  oldTsc,
  ...swc("esm"),
  ...swc("cjs"),
  ...tsx("esm"),
  ...tsx("cjs"),
  ...esbuild("esbuild", "", []),
  ...esbuild("esbuild --minify", "--minify ", [names]),
  ...jest,
  ...vitest,
  ...bundlers,
];
