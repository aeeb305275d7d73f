/**
 * Makes dist/: `tsc` compiles src/ with its declarations to build/compiled, rollup makes an ES module and a CommonJS build of it.
 * The entries are what package.json's "exports" name; they share chunks, so that a class is one class whichever entry it came by.
 * The validation engine ships as ES modules only, so it is inlined, with its licence, and so are the compiler's helpers for
 * decorators, a kilobyte, the search engine, which few applications need, and what the command line alone needs; everything else stays an
 * import.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import commonjs from "@rollup/plugin-commonjs";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { build, transform } from "esbuild";
import { rollup } from "rollup";
import typescript from "typescript";

const compiled = "build/compiled";
const inlined = ["typebox", "tslib", "reflect-metadata", "minisearch", "commander", "get-tsconfig", "resolve-pkg-maps"];
/** The page of the studio has it. */
const inPage = ["preact"];
/** The program of package.json's "bin", what it loads once compiled code is kept, and what another thread of it loads. Node runs it as ES modules alone. */
const commandLine = Object.fromEntries(["cli/main", "cli/run", "cli/loader/hooks"].map((entry) => [entry, `${compiled}/${entry}.js`]));
const target = "node20";
/**
 * Without comments, which the declarations have, and in ASCII: Node reads text with other characters through a slower path, and keeps
 * it in memory at twice the size.
 */
const printed = { name: "printed", renderChunk: (code) => transform(code, { target, charset: "ascii", legalComments: "none" }) };
/** The modules that `import "..."` names without taking anything. */
const hasEffects = /(?:isolation\/index\.js|reflect-metadata\/.*)$/;
/** The program of isolated tools' threads and processes. Nothing imports it. */
const farSide = "isolation/far-side";
const engineOnUse = "\0typebox-schema-on-use";
/** The files of src/platform/peers/, each of which loads one optional peer: package.json's "imports" say which form of it is taken. */
const peerFile = /^\.\/peers\/([\w-]+)\.js$/;
/** The form for Node fails in a bundle: the bundler took it because no condition of package.json's "imports" was the bundler's. */
const engineLoader = `
export function loadEngine() {
    try {
        return require("./typebox.cjs");
    }
    catch (cause) {
        throw new Error("The bundle has no validation engine of toolwright. Add the bundler's option --conditions=module.", { cause });
    }
}
`;
const manifest = JSON.parse(readFileSync("package.json", "utf8"));

rmSync(compiled, { recursive: true, force: true });
const { status } = spawnSync("node_modules/.bin/tsc6", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
if (status !== 0) process.exit(1);
checkDeclarations();

const apart =
  "A file holds something that the main entry needs beside something that it doesn't, and the latter needs the main entry's files. Give each a file.";
const input = {
  // An entry has no importer.
  external: (id, importer) => importer !== undefined && /^[^./\0]/.test(id) && !inlined.includes(packageOf(id)),
  plugins: [
    { name: "inlined-packages", resolveId, load },
    nodeResolve({ ignoreSideEffectsForRoot: true }),
    commonjs({ include: /node_modules\/commander\// }),
  ],
  // Only what is imported without names is there for its effects. What no statement uses else isn't loaded, of Node neither.
  treeshake: { moduleSideEffects: (id, isExternal) => (isExternal ? !/^(node:|#peers\/)/.test(id) : hasEffects.test(id)) },
  // Circular imports between the engine's own files are its business; between ours `npm run arrows` refuses them.
  onwarn: (warning, warn) => {
    if (warning.code === "CIRCULAR_CHUNK") throw new Error(`${warning.message}\n${apart}`);
    if (warning.code !== "CIRCULAR_DEPENDENCY") warn(warning);
  },
};
const core = await modulesOfMainEntry();
const forImport = await rollup({ ...input, input: { ...entries(), ...commandLine } });
const forRequire = await rollup({ ...input, input: entries() });
rmSync("dist", { recursive: true, force: true });
const chunks = {
  chunkFileNames: "[name]-[hash].js",
  minifyInternalExports: false,
  manualChunks: (id) => (core.has(id) ? "core" : null),
  // Without it, what these modules import would follow them.
  onlyExplicitManualChunks: true,
  hoistTransitiveImports: false,
};
await forImport.write({ ...chunks, dir: "dist/esm", format: "es", plugins: [{ name: "make-require", renderChunk: makeRequire }, printed] });
// `import()` becomes `require()`: jest without flags can't run the former, and Node's `require()` loads ES modules too.
await forRequire.write({ ...chunks, dir: "dist/cjs", format: "cjs", exports: "named", dynamicImportInCjs: false, plugins: [printed] });
await forImport.close();
await forRequire.close();

await writePeers();
writeFarSide();
await writeStudioPage();
writeFileSync("dist/cjs/package.json", JSON.stringify({ type: "commonjs", imports: nestedImports() }));
for (const build of ["esm", "cjs"]) {
  // Nothing imports the command line, and it alone imports the studio.
  cpSync(compiled, `dist/${build}`, { recursive: true, filter: (path) => !/\.js$|\/(cli|studio)(\/|$)/.test(path) });
}
writeFileSync("dist/THIRD_PARTY_LICENSES.txt", [...inlined, ...inPage].map(licenceOf).join("\n"));

/**
 * Two packages cost more than the rest of the library when it is imported. reflect-metadata is inlined without its polyfills: an ES
 * module that imports a CommonJS package waits for Node's bridge between them. It extends the global `Reflect`, and shares its store
 * with any other copy of it. The validation engine has a file of its own, which is loaded when the first schema is compiled.
 */
function resolveId(id, importer) {
  const peer = importer?.endsWith("platform/index.js") ? peerFile.exec(id) : null;
  if (peer !== null) return { id: `#peers/${peer[1]}`, external: true, moduleSideEffects: false };
  if (id === "reflect-metadata") return this.resolve("reflect-metadata/lite");
  return id === "typebox/schema" ? engineOnUse : null;
}

async function load(id) {
  if (id !== engineOnUse) return null;
  return `import { loadEngine } from "#peers/engine";\nexport const Build = (...given) => loadEngine().Build(...given);\n`;
}

/**
 * The modules that the main entry needs are one file: each further file costs Node as much as a thousand lines in it. What it only
 * passes by on the way, such as the stores beside the error that it exports, stays out.
 */
async function modulesOfMainEntry() {
  const main = await rollup({ ...input, input: `${compiled}/index.js` });
  const { output } = await main.generate({ format: "es" });
  await main.close();
  const entry = output.find(({ isEntry }) => isEntry);
  // What is imported on use has chunks of its own.
  const chunks = output.filter((chunk) => chunk === entry || entry.imports.includes(chunk.fileName));
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules));
  return new Set(modules.flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : [])));
}

/** `{ "testing/index": "build/compiled/testing/index.js", ... }` */
function entries() {
  const files = Object.values(manifest.exports).flatMap((conditions) => conditions.import?.default ?? []);
  const names = files.map((file) => file.replace("./dist/esm/", "").replace(/\.js$/, ""));
  return Object.fromEntries([...names, farSide].map((name) => [name, `${compiled}/${name}.js`]));
}

/**
 * The `require` of src/platform/beside.ts. A bundler that turns the module into CommonJS leaves `import.meta.url` undefined, and Node's
 * own `__filename` says the same; an edge runtime has neither. The function in between keeps webpack from following what is required.
 */
function makeRequire(code) {
  if (!code.includes("=> require;")) return null;
  const place = 'import.meta.url ?? (typeof __filename === "string" ? __filename : undefined)';
  const made = code.replace("=> require;", `=> requireFrom(createRequire, ${place});`);
  return `import { createRequire } from "node:module";\nconst requireFrom = (create, place) => create(place);\n${made}`;
}

/**
 * dist/peers/ has what `require` loads on use: each file of src/platform/peers/, and the validation engine. Bundlers and CommonJS get
 * name.cjs: every bundler follows a `require` in a CommonJS file, takes what it finds into the bundle, and inside `try` takes what isn't
 * installed for optional. What the application's decorators told class-transformer, only the bundle's copy of it knows. ES modules of Node
 * get all of them in one file, node.js, with a `require` of its own. name.bundled.ts is what bundlers get in place of name.ts.
 */
async function writePeers() {
  mkdirSync("dist/peers");
  const names = readdirSync(`${compiled}/platform/peers`).filter((name) => name.endsWith(".js"));
  const sources = names.map((file) => [
    file.replace(/\.js$/, ""),
    readFileSync(`${compiled}/platform/peers/${file}`, "utf8").replaceAll(/^\/\/#.*$/gm, ""),
  ]);
  sources.push(["engine", engineLoader]);
  for (const [name, code] of sources) {
    // Its `exports.loadYaml = ...` is the form whose names every bundler can read.
    const compilerOptions = { module: typescript.ModuleKind.CommonJS, target: typescript.ScriptTarget.ES2022 };
    writeFileSync(`dist/peers/${name}.cjs`, typescript.transpileModule(code, { compilerOptions }).outputText);
  }
  const ofNode = sources.filter(([name]) => !name.endsWith(".bundled")).map(([, code]) => code);
  const made = 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\n';
  writeFileSync("dist/peers/node.js", made + ofNode.join(""));
  // What explains faults is left out: src/schema/faults does that.
  const used = {
    name: "used-of-engine",
    resolveId: (id) => (id === "engine" ? id : null),
    load: (id) => (id === "engine" ? 'export { Build } from "typebox/schema";' : null),
  };
  const engine = await rollup({ input: "engine", plugins: [used, nodeResolve({ rootDir: "." })], onwarn: input.onwarn });
  // Plain objects for namespaces: compiled validators call functions of one, and a getter would cost them some percent.
  const { output } = await engine.generate({ format: "cjs", exports: "named", freeze: false, generatedCode: "es2015" });
  await engine.close();
  const { code } = await transform(output[0].code, { minify: true, format: "cjs", target });
  writeFileSync("dist/peers/typebox.cjs", code);
}

/**
 * dist/isolation/far-side.js is found by the same path from both builds. It is the ES module in each case: a tool's own module may be
 * either, and `require` can't load an ES module on each version of Node.
 */
function writeFarSide() {
  mkdirSync("dist/isolation");
  writeFileSync("dist/isolation/far-side.js", `export { default } from "../esm/${farSide}.js";\n`);
}

/** dist/studio/ has the studio's page, minified: the command line alone serves it. */
async function writeStudioPage() {
  const page = "src/studio/page";
  await build({
    entryPoints: { page: `${page}/main.tsx` },
    outdir: "dist/studio",
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2023",
    jsx: "automatic",
    jsxImportSource: "preact",
    tsconfigRaw: {},
    legalComments: "none",
  });
  writeFileSync("dist/studio/page.css", (await transform(readFileSync(`${page}/page.css`, "utf8"), { loader: "css", minify: true })).code);
  cpSync(`${page}/icon.svg`, "dist/studio/icon.svg");
}

/**
 * A declaration may name only what a user has installed: otherwise its types silently become `any`, or do not compile.
 * It may add to the types of what a user need not have, where it says so to the compiler. Its comments may cite only what ships.
 */
function checkDeclarations() {
  const installed = [manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })];
  for (const file of readdirSync(compiled, { recursive: true }).filter((name) => name.endsWith(".d.ts") && !/^(cli|studio)\//.test(name))) {
    const source = readFileSync(`${compiled}/${file}`, "utf8");
    const [cited] = /\bseeds? (?:\d|document).*/i.exec(source) ?? [];
    if (cited !== undefined) throw new Error(`${file}: users would read "${cited}", which they don't have. State the reason in words.`);
    const text = source.replace(/^\/\*\* @ts-ignore:.*\*\/\ndeclare module "[^"]+"/gm, "");
    for (const { fileName: id } of typescript.preProcessFile(text).importedFiles) {
      if (!id.startsWith(".") && !isBuiltin(id) && !installed.includes(packageOf(id))) {
        throw new Error(`${file}: the declaration imports "${id}", which users do not have. Declare the type structurally.`);
      }
    }
  }
}

/** Node reads the "imports" of the nearest package.json, and paths in it can't lead out of its folder. */
function nestedImports() {
  cpSync("dist/peers", "dist/cjs/peers", { recursive: true, filter: (path) => !path.endsWith(".js") });
  const nested = Object.entries(manifest.imports).map(([name, { module: bundled, bun, workerd, require: plain }]) => {
    const targets = { module: bundled, bun, workerd, default: plain };
    return [name, Object.fromEntries(Object.entries(targets).map(([condition, path]) => [condition, path.replace("./dist/", "./")]))];
  });
  return Object.fromEntries(nested);
}

function licenceOf(name) {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  const file = readdirSync(`node_modules/${name}`).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version}, inlined in this package:\n\n${readFileSync(`node_modules/${name}/${file}`, "utf8").trim()}\n`;
}

function packageOf(id) {
  return id.split("/", id.startsWith("@") ? 2 : 1).join("/");
}
