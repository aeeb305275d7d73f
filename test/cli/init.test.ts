import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { toolwright, toolwrightJson } from "./command-line.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "toolwright-init-"));
});

const read = (path: string): string => readFileSync(join(directory, path), "utf8");

describe("init", () => {
  it("writes a project, and says what comes next", async () => {
    const { exitCode, output } = await toolwright(["init", "shop"], { directory });
    expect(exitCode).toBe(0);
    expect(output).toContain("cd shop\n  npm install\n  npm start\n  npm test");
    expect(JSON.parse(read("shop/package.json"))).toMatchObject({
      name: "shop",
      type: "module",
      scripts: { start: "tsc && node dist/main.js" },
      toolwright: { modules: ["src/agent.ts"] },
      dependencies: { toolwright: "^1.2.3" },
    });
    expect(JSON.parse(read("shop/tsconfig.json"))).toMatchObject({ compilerOptions: { experimentalDecorators: true } });
  });

  it("writes standard decorators, and services with typedi", async () => {
    await toolwright(["init", "shop", "--decorators", "standard", "--injection"], { directory });
    expect(read("shop/tsconfig.json")).not.toContain("experimentalDecorators");
    expect(read("shop/src/tools.ts")).toContain("Container.get(Shops)");
    expect(JSON.parse(read("shop/package.json")).dependencies).toHaveProperty("typedi");
  });

  it.each(["plain", "web", "nest"])("writes TypeScript that parses: %s", async (template) => {
    const { json } = await toolwrightJson(["init", "shop", "--template", template, "--json"], { directory });
    for (const file of (json.files as string[]).filter((name) => name.endsWith(".ts"))) {
      const { diagnostics } = ts.transpileModule(read(`shop/${file}`), {
        reportDiagnostics: true,
        compilerOptions: { target: ts.ScriptTarget.ES2022 },
      });
      expect([file, diagnostics]).toEqual([file, []]);
    }
  });

  it("asks on a terminal", async () => {
    const { json } = await toolwrightJson(["init", "shop", "--json"], { directory, isTerminal: true, input: "web\nstandard\nno" });
    expect(json).toMatchObject({ template: "web", decorators: "standard", hasInjection: false });
  });

  it("writes over nothing, and then writes nothing at all", async () => {
    writeFileSync(join(directory, "README.md"), "Mine.");
    const { exitCode, errors } = await toolwright(["init"], { directory });
    expect(exitCode).toBe(2);
    expect(errors).toContain("README.md would be written over");
    expect(readdirSync(directory)).toEqual(["README.md"]);
  });

  it("refuses standard decorators for Nest", async () => {
    const { exitCode, errors } = await toolwright(["init", "--template", "nest", "--decorators", "standard"], { directory });
    expect(exitCode).toBe(2);
    expect(errors).toContain("Nest has legacy decorators only");
  });
});
