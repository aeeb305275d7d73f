import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ran, type RunOptions, toolwright } from "./command-line.js";

/** Starts the studio, asks it for what it shows, and ends it with Ctrl-C. */
async function openStudio(
  given: readonly string[],
  { env, directory, whenOpen }: Pick<RunOptions, "env" | "directory"> & { readonly whenOpen?: () => void } = {},
): Promise<Ran & { readonly shown: any }> {
  let interrupt = (): void => undefined;
  let shown: any;
  const look = async (printed: string): Promise<void> => {
    const { origin, hash } = new URL(JSON.parse(printed).url);
    whenOpen?.();
    const headers = { authorization: `Bearer ${hash.slice("#token=".length)}` };
    shown = await (await fetch(`${origin}/api/studio`, { headers })).json();
    interrupt();
  };
  const ran = await toolwright(["studio", ...given, "--port", "0", "--json"], {
    ...(env !== undefined && { env }),
    ...(directory !== undefined && { directory }),
    onInterrupt: (first) => {
      interrupt = first;
    },
    onOutput: (printed) => void look(printed),
  });
  return { ...ran, shown };
}

/** A folder of no package, with the empty directory data/. */
function folderWithStorage(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-studio-"));
  mkdirSync(join(folder, "data"));
  return folder;
}

describe("studio", () => {
  it("prints its address, and shows the tools and agents of a module until Ctrl-C", async () => {
    const { exitCode, errors, shown } = await openStudio(["shop.ts"]);
    expect(exitCode).toBe(130);
    expect(errors).toMatch(/^2 tools and 1 agent\. Open http:\/\/127\.0\.0\.1:\d+\/#token=\S+\nCtrl-C ends it\.\n$/);
    expect(shown.tools).toMatchObject([{ name: "get_weather" }, { name: "refund", approval: true }]);
    expect(shown).toMatchObject({ agents: [{ name: "shop_agent" }], hasStorage: false, changedFiles: [] });
  });

  it("says which agents choose their tools by a function", async () => {
    const { shown } = await openStudio(["choosing.ts"]);
    expect(shown).toMatchObject({ tools: [], agents: [{ name: "choosing_agent", choosesTools: true }] });
    expect(shown.findings).toMatchObject([{ tool: "choosing_agent", rule: "has-known-tools", module: "choosing.ts" }]);
  });

  it("shows the runs of a storage without modules", async () => {
    const { exitCode, shown } = await openStudio(["--storage", "data"], { directory: folderWithStorage() });
    expect(exitCode).toBe(130);
    expect(shown).toMatchObject({ tools: [], agents: [], hasStorage: true });
  });

  it("shows classes whose definition is invalid", async () => {
    const { shown } = await openStudio(["invalid.ts"]);
    expect(shown.findings.length).toBeGreaterThan(0);
    expect(shown.findings[0]).toMatchObject({ severity: "error", rule: "is-valid", module: "invalid.ts" });
  });

  it("names a module that changed on disk", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolwright-studio-"));
    const module = join(folder, "tools.js");
    const library = join(__dirname, "../../src/index.js").replace(/\.js$/, ".ts");
    writeFileSync(
      module,
      `const { createTool } = require(${JSON.stringify(library)});
       exports.greet = createTool({ name: "greet", description: "Greets.", inputSchema: { type: "object" }, execute: () => "Hello" });`,
    );
    const later = new Date(Date.now() + 60_000);
    const { shown } = await openStudio([module], { whenOpen: () => utimesSync(module, later, later) });
    expect(shown.changedFiles).toEqual([expect.stringContaining("tools.js")]);
  });

  it("doesn't start with NODE_ENV=production, unless it is allowed to", async () => {
    const { exitCode, errors } = await toolwright(["studio", "shop.ts"], { env: { NODE_ENV: "production" } });
    expect(exitCode).toBe(1);
    expect(errors).toContain("The studio doesn't start with NODE_ENV=production");
    expect((await openStudio(["shop.ts", "--allow-production"], { env: { NODE_ENV: "production" } })).exitCode).toBe(130);
  });

  it("rejects a port that is none", async () => {
    const { exitCode, errors } = await toolwright(["studio", "shop.ts", "--port", "http"]);
    expect(exitCode).toBe(2);
    expect(errors).toContain("--port must be a whole number from 0 to 65535");
  });
});
