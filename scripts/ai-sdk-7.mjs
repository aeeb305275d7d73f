/**
 * Sends the random histories of test/support/histories through the provider packages of AI SDK 7, on Node 24: they don't run on
 * Node 20. npm carries the binary. Everything is installed into a temporary folder; the library is the one in dist/.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const binary = `node-${process.platform}-${process.arch}`;
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

const folder = mkdtempSync(join(tmpdir(), "toolwright-ai-sdk-7-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const root = process.cwd();
writeFileSync(
  join(folder, "package.json"),
  JSON.stringify({ type: "module", dependencies: { ...packages, "fast-check": "^4.11.0", [binary]: "^24.22.3" } }),
);
// The packages say that they need a newer Node than npm runs on.
run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--silent", "--engine-strict=false"], folder);
symlinkSync(root, join(folder, "node_modules/toolwright"));

await build({
  entryPoints: ["test/toolchains/ai-sdk-7/histories.ts"],
  outfile: join(folder, "histories.mjs"),
  bundle: true,
  platform: "node",
  format: "esm",
  target: "es2022",
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  plugins: [{ name: "installed", setup: useInstalled }],
});
run(join(folder, "node_modules", binary, "bin/node"), ["histories.mjs"], folder);

/** The library comes from dist/, and packages from the folder. */
function useInstalled({ onResolve }) {
  onResolve({ filter: /src\/index\.js$/ }, () => ({ path: "toolwright", external: true }));
  onResolve({ filter: /src\/models\/index\.js$/ }, () => ({ path: "toolwright/models", external: true }));
  onResolve({ filter: /^[^.]/ }, ({ path, kind }) => (kind === "entry-point" ? undefined : { path, external: true }));
}

function run(command, parameters, cwd) {
  const { status } = spawnSync(command, parameters, { cwd, stdio: ["ignore", "inherit", "inherit"], timeout: 300_000 });
  if (status !== 0) process.exit(1);
}
