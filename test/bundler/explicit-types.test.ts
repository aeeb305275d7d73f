import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Plugin, rollup } from "rollup";
import type { UnpluginBuildContext, UnpluginContext } from "unplugin";
import { explicitTypes } from "../../src/bundler/index.js";
import { build, transform } from "../support/es-modules/esbuild.cjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolwright-bundler-"));
  writeFileSync(join(folder, "address.ts"), 'import { required } from "toolwright";\nexport class Address { @required() city!: string }\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tool = `import { required } from "toolwright";
import { Address } from "./address";
export class MoveTool { @required("Where to") to!: Address }
`;

/** What a bundler gives to the hooks of its plug-ins: here, one that resolves as the test says. */
const contextOf = (bundler: object) => {
  const watched: string[] = [];
  const context = { addWatchFile: (file: string) => watched.push(file), ...bundler };
  return { watched, context: context as unknown as UnpluginBuildContext & UnpluginContext };
};

type Handler = (this: UnpluginBuildContext & UnpluginContext, code: string, id: string) => Promise<{ readonly code: string } | undefined>;

const plugin = () => {
  const { transform: hook } = explicitTypes.raw(undefined, { framework: "rollup", versions: {} });
  return (hook as unknown as { readonly handler: Handler }).handler;
};

describe("explicitTypes", () => {
  const inFolder = (name: string) => join(folder, name);

  it("writes types in a build of esbuild, with its aliases, and leads back to the sources", async () => {
    writeFileSync(inFolder("tool.ts"), tool.replace("./address", "@models/address"));
    const tsconfigRaw = { compilerOptions: { experimentalDecorators: true, paths: { "@models/*": ["./*"] } } };
    const { outputFiles } = await build({
      absWorkingDir: folder,
      entryPoints: ["tool.ts"],
      bundle: true,
      write: false,
      format: "esm",
      target: "es2022",
      outdir: "out",
      sourcemap: true,
      external: ["toolwright"],
      tsconfigRaw,
      plugins: [explicitTypes.esbuild()],
    });
    const [map, code] = outputFiles.map(({ text }) => text);
    expect(code).toContain('(() => Address, "Where to")');
    expect(code).toContain("required(String)");
    const { sourcesContent } = JSON.parse(map ?? "") as { readonly sourcesContent: readonly string[] };
    expect(sourcesContent).toContain(tool.replace("./address", "@models/address"));
  });

  it("writes types in a build of Rollup, before the plug-in that compiles TypeScript", async () => {
    writeFileSync(inFolder("tool.ts"), tool.replace("./address", "./address.ts"));
    const compilerOptions = { experimentalDecorators: true };
    const typescript: Plugin = {
      name: "typescript",
      transform: async (code) => (await transform(code, { loader: "ts", target: "es2022", tsconfigRaw: { compilerOptions } })).code,
    };
    const bundle = await rollup({ input: inFolder("tool.ts"), external: ["toolwright"], plugins: [explicitTypes.rollup(), typescript] });
    const { output } = await bundle.generate({ format: "es" });
    await bundle.close();
    expect(output[0].code).toContain('(() => Address, "Where to")');
  });

  it("takes what a development server resolves, whose answer doesn't say whether it is external", async () => {
    const { context, watched } = contextOf({ resolve: async () => ({ id: `${inFolder("address.ts")}?v=1` }) });
    const written = await plugin().call(context, tool, `${inFolder("tool.ts")}?t=2`);
    expect(written?.code).toContain('@required(() => Address, "Where to")');
    expect(watched).toEqual([inFolder("address.ts")]);
  });

  it("reads a file again that has changed since", async () => {
    const { context } = contextOf({ resolve: async () => ({ id: inFolder("address.ts"), external: false }) });
    const handler = plugin();
    expect(await handler.call(context, tool, inFolder("tool.ts"))).toBeDefined();
    writeFileSync(inFolder("address.ts"), "export interface Address { city: string }");
    expect(await handler.call(context, tool, inFolder("tool.ts"))).toBeUndefined();
  });

  it.each([
    ["isn't found", { resolve: async () => null }],
    ["is left out of the bundle", { resolve: async () => ({ id: "address", external: true }) }],
    ["is JavaScript", { resolve: async () => ({ id: "/address.js", external: false }) }],
    ["is a declaration", { resolve: async () => ({ id: "/address.d.ts", external: false }) }],
    ["can't be read", { resolve: async () => ({ id: "/nowhere/address.ts", external: false }) }],
    ["the bundler doesn't resolve", {}],
    [
      "webpack doesn't find",
      { getNativeBuildContext: () => ({ framework: "webpack", loaderContext: { getResolve: () => () => Promise.reject(new Error()) } }) },
    ],
    [
      "webpack ignores",
      { getNativeBuildContext: () => ({ framework: "webpack", loaderContext: { getResolve: () => async () => false } }) },
    ],
    ["another bundler resolves", { getNativeBuildContext: () => ({ framework: "farm" }) }],
  ])("leaves a type alone whose import %s", async (_, bundler) => {
    expect(await plugin().call(contextOf(bundler).context, tool, inFolder("tool.ts"))).toBeUndefined();
  });

  it("takes what webpack resolves", async () => {
    const loaderContext = { getResolve: () => async (from: string, specifier: string) => join(from, `${specifier}.ts`) };
    const { context } = contextOf({ getNativeBuildContext: () => ({ framework: "webpack", loaderContext }) });
    expect((await plugin().call(context, tool, inFolder("tool.ts")))?.code).toContain('@required(() => Address, "Where to")');
  });
});
