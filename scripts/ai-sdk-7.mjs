/**
 * npm run ai-sdk-7
 *
 * Runs the programs of test/toolchains/ai-sdk-7 with AI SDK 7 and its provider packages, which don't run on Node 20, on the packed library:
 * random histories, long conversations, streams that end early, and `toolsContext`, whose types are checked first. The library is the one in dist/.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { cache, install, pack, run, runWith } from "./toolchains/harness.mjs";

const providers = {
  "amazon-bedrock": "^5.0.101",
  anthropic: "^4.0.105",
  cohere: "^4.0.52",
  deepseek: "^3.0.56",
  google: "^4.0.121",
  groq: "^4.0.84",
  mistral: "^4.0.87",
  openai: "^4.0.118",
  "openai-compatible": "^3.0.92",
  xai: "^5.0.12",
};
const packages = Object.fromEntries(Object.entries(providers).map(([name, version]) => [`@ai-sdk/${name}`, version]));
const others = { ai: "^7.0.173", "@types/node": "^24.0.0", "fast-check": "^4.11.0" };
const folder = install("ai-sdk-7", pack(true), { node: "24.21.0", ...packages, ...others }, cache);
const source = "test/toolchains/ai-sdk-7";

checkTypes();
for (const program of ["tools-context", "histories", "cut-streams", "provider-forms", "long-conversations"]) {
  await build({
    entryPoints: [`${source}/${program}.ts`],
    outfile: join(folder, `${program}.mjs`),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "es2022",
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    plugins: [{ name: "installed", setup: useInstalled }],
  });
  const output = await runWith(folder, `node ${program}.mjs || echo FAILED`, folder);
  console.log(output);
  if (output.endsWith("FAILED")) process.exit(1);
}

function checkTypes() {
  const options = { target: "ES2022", module: "NodeNext", strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: ["node"] };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...options, skipLibCheck: true }, include: ["*.ts"] }));
  run("cp", [join(process.cwd(), source, "tools-context.ts"), folder], folder);
  run(join(process.cwd(), "node_modules/.bin/tsc"), ["-p", "."], folder);
}

/** The library and the packages come from the folder. */
function useInstalled({ onResolve }) {
  onResolve({ filter: /src\/index\.js$/ }, () => ({ path: "toolwright", external: true }));
  onResolve({ filter: /src\/(models|storage)\/index\.js$/ }, ({ path }) => ({
    path: `toolwright/${path.split("/").at(-2)}`,
    external: true,
  }));
  onResolve({ filter: /^[^.]/ }, ({ path, kind }) => (kind === "entry-point" ? undefined : { path, external: true }));
}
