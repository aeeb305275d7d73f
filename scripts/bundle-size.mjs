/**
 * npm run bundle-size
 *
 * Bundles a program with one agent and one tool into one file, minified by esbuild, as `docs/toolchains.md` describes. Runs it, and fails if
 * it is over a percent larger than the page says. Prints what is in it: files of dist/ by esbuild's metafile, and rooms of src/ by the same program
 * bundled from the compiled sources. Build first.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const program = `
import { Agent, description, identifier, model, required, Tool, usesTools } from "toolwright";

@identifier("get_weather")
@description("Gets the current weather for a city. Use when the user asks about weather now.")
class WeatherTool extends Tool {
  @required(String, "The city name") city!: string;

  call() {
    return "Sunny in " + this.city + ".";
  }
}

@model("embedded/keyword")
@usesTools([WeatherTool])
class WeatherAgent extends Agent {}

console.log((await new WeatherAgent().generate("What is the weather in Paris?")).text);
`;
/** Reads build/compiled/ in place of dist/, with the build's rules of what has effects. */
const compiledSources = {
  name: "compiled-sources",
  setup({ onResolve, resolve: resolvePath }) {
    onResolve({ filter: /^toolwright$/ }, () => ({ path: resolve("build/compiled/index.js") }));
    onResolve({ filter: /^typebox\/schema$/ }, () => ({ path: resolve("dist/peers/typebox.cjs") }));
    onResolve({ filter: /^reflect-metadata$/ }, () => ({ path: resolve("node_modules/reflect-metadata/ReflectLite.js") }));
    onResolve({ filter: /^\./ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === "inner" || !importer.includes("compiled")) return undefined;
      const { path: found } = await resolvePath(path, { importer, resolveDir, kind, pluginData: "inner" });
      return { path: found, sideEffects: /isolation\/index\.js$/.test(found) };
    });
  },
};

const said = /is (\d+) KB as one file, minified by esbuild/;
const page = readFileSync("docs/toolchains.md", "utf8");
const most = Number(said.exec(page)?.[1]);

const folder = mkdtempSync(join(tmpdir(), "toolwright-bundle-"));
try {
  const file = join(folder, "program.mjs");
  const bundled = await bundle(file, []);
  const kilobytes = bundled.bytes / 1000;
  print("Files", bundled.inputs, (path) => path);
  print("Rooms", (await bundle(undefined, [compiledSources])).inputs, roomOf);
  const printed = execFileSync(process.execPath, [file], { encoding: "utf8" }).trim();
  if (printed !== "Sunny in Paris.") throw new Error(`The bundle printed ${JSON.stringify(printed)}.`);
  console.log(`\nOne agent and one tool: ${kilobytes.toFixed(1)} KB. docs/toolchains.md says ${most} KB.`);
  // A percent more is for small changes, which need not edit the page.
  if (!(kilobytes <= most * 1.01)) {
    console.error("The bundle is larger than the page says. Find what made it grow, or write the new figure into the page.");
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function bundle(outfile, plugins) {
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: ".", loader: "ts" },
    outfile: outfile ?? join(folder, "rooms.mjs"),
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    metafile: true,
    write: outfile !== undefined,
    plugins,
  });
  return Object.values(metafile.outputs)[0];
}

function print(title, inputs, nameOf) {
  const sums = new Map();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const name = nameOf(path);
    sums.set(name, (sums.get(name) ?? 0) + bytesInOutput);
  }
  console.log(`\n${title}:`);
  for (const [name, bytes] of [...sums].sort(([, left], [, right]) => right - left)) {
    if (bytes >= 1000) console.log(`${(bytes / 1000).toFixed(1).padStart(7)} KB  ${name}`);
  }
}

function roomOf(path) {
  return /build\/compiled\/(\w[\w-]*)\//.exec(path)?.[1] ?? /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path;
}
