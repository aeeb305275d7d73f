import type { Files } from "../files/write-files.js";
import type { Choices } from "./choices.js";
import { mainFiles } from "./main-files.js";
import { readme } from "./readme.js";
import { sourceFiles } from "./source-files.js";

/** The files of a new project, by their paths. `version`: of this package. */
export const projectFiles = (name: string, version: string, choices: Choices): Files => ({
  "package.json": manifest(name, version, choices),
  "tsconfig.json": tsconfig(choices),
  ".gitignore": "node_modules\ndist\n.env\n.toolwright\n",
  "README.md": readme(name, choices),
  ...sourceFiles(choices),
  ...mainFiles(choices),
});

function manifest(name: string, version: string, { template, hasInjection }: Choices): string {
  return asJson({
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: {
      build: "tsc",
      start: "tsc && node dist/main.js",
      test: "tsc && node --test dist/*.test.js",
      check: "toolwright check --strict",
      // Nest makes the tools of its agents, and only in the application.
      ...(template !== "nest" && { chat: "toolwright chat shop_agent" }),
    },
    toolwright: { modules: ["src/agent.ts"] },
    dependencies: {
      ...(template === "nest" && {
        "@nestjs/common": "^11.2.10",
        "@nestjs/core": "^11.2.10",
        "@nestjs/platform-express": "^11.2.10",
        "reflect-metadata": "^0.2.2",
        rxjs: "^7.8.2",
      }),
      toolwright: `^${version}`,
      ...(template !== "nest" && hasInjection && { typedi: "^0.10.0" }),
    },
    devDependencies: { "@swc/core": "^1.16.0", "@types/node": "^20.19.0", typescript: "^6.0.2" },
  });
}

const tsconfig = ({ decorators }: Choices): string =>
  asJson({
    compilerOptions: {
      target: "ES2022",
      module: "NodeNext",
      types: ["node"],
      strict: true,
      skipLibCheck: true,
      ...(decorators === "legacy" && { experimentalDecorators: true, emitDecoratorMetadata: true }),
      rootDir: "src",
      outDir: "dist",
    },
    include: ["src"],
  });

const asJson = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
