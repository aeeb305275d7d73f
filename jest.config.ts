/** @jest-config-loader esbuild-register */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Config } from "jest";

/**
 * Tests with commands of their own, because they take most of the time: those that run compilers, those with processes and threads, and
 * those that hold nothing but random inputs. They run too if the command line names files.
 */
const heavy = ["types/", ".*processes(?:/|\\.test\\.ts$)", ".*\\.random\\.test\\.ts$"].map((name) => `<rootDir>/test/${name}`);
const namesFiles = process.argv
  .slice(2)
  .some((word) => /^(?:[^-].*[a-z/]|--(?:testPathPatterns|runTestsByPath|findRelatedTests)\b)/i.test(word));

const vendored = "build/vendor/typebox-schema.cjs";
if (!existsSync(vendored)) execFileSync(process.execPath, ["scripts/vendor.mjs"], { stdio: "inherit" });

const config: Config = {
  testEnvironment: "<rootDir>/scripts/jest/environment.cjs",
  runtime: "<rootDir>/scripts/jest/runtime.cjs",
  globalSetup: "<rootDir>/scripts/jest/temporary-folder.cjs",
  globalTeardown: "<rootDir>/scripts/jest/remove-temporary-folder.cjs",
  // The second compares docs/features.md with the names of the tests, after a run of all.
  reporters: ["default", "<rootDir>/scripts/features-reporter.mjs"],
  // Tests with processes and servers of their own take a while on a busy machine; one that hangs is still found.
  testTimeout: 30_000,
  // Jest lists all files of its roots when it starts; node_modules has 60,000.
  roots: ["<rootDir>/src", "<rootDir>/test"],
  watchman: false,
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // Tests that need a service are run by `npm run test:durable`.
  testPathIgnorePatterns: [
    "/node_modules/",
    "<rootDir>/test/toolchains/",
    ...(process.env.DURABLE_TESTS ? [] : ["<rootDir>/test/postgres/"]),
    ...(namesFiles ? [] : heavy),
  ],
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/build/compiled/"],
  resolver: "<rootDir>/scripts/jest/resolver.cjs",
  moduleNameMapper: {
    "^typebox/schema$": `<rootDir>/${vendored}`,
    // Threads and processes can't load the sources: test/isolation/support.ts compiles them.
    "^\\.\\./isolation/far-side\\.js$": "<rootDir>/build/test/isolation/isolation/far-side.js",
    "^(magic-string|oxc-parser|unplugin)$": "<rootDir>/test/support/es-modules/$1.cjs",
  },
  transform: {
    "^.+\\.ts$": [
      "<rootDir>/scripts/jest/transformer.cjs",
      {
        // Types are checked by `npm run typecheck`; here each file is only compiled, which keeps a single test fast.
        tsconfig: {
          target: "ES2022",
          module: "commonjs",
          moduleResolution: "bundler",
          isolatedModules: true,
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
          esModuleInterop: true,
          strict: true,
        },
      },
    ],
  },
};

export default config;
