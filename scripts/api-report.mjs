/**
 * npm run api-report [-- --check]
 *
 * Writes the public API of each entry in package.json's "exports" to etc/, one file per entry, from the declarations in dist/.
 * Build first. `--check` writes nothing: it prints the difference and fails if etc/ is not current.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";

const committed = "etc";
const current = "build/api-report";
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const entries = Object.entries(manifest.exports).flatMap(([name, conditions]) => {
  const declaration = conditions.import?.types;
  return declaration
    ? [{ report: `${`${manifest.name}${name.slice(1)}`.replaceAll("/", "-")}.api.md`, declaration: resolve(declaration) }]
    : [];
});

rmSync(current, { recursive: true, force: true });
mkdirSync(current, { recursive: true });
let compilerState;
for (const entry of entries) {
  const config = configOf(entry);
  // One program for all entries: compiling is what takes the time.
  compilerState ??= CompilerState.create(config, { additionalEntryPoints: entries.map(({ declaration }) => declaration) });
  const { succeeded } = Extractor.invoke(config, { localBuild: true, compilerState, messageCallback: reportErrors });
  if (!succeeded) throw new Error(`The API of ${entry.declaration} can't be read. Run \`npm run build\` first.`);
  const file = `${current}/${entry.report}`;
  writeFileSync(file, withoutComments(readFileSync(file, "utf8")));
}

if (process.argv.includes("--check")) {
  const { status } = spawnSync("git", ["--no-pager", "diff", "--no-index", "--", committed, current], { stdio: "inherit" });
  if (status !== 0) {
    console.error(
      "\nThe public API differs from etc/. If the change is intended, run `npm run build && npm run api-report` and commit etc/.",
    );
    process.exit(1);
  }
} else {
  rmSync(committed, { recursive: true, force: true });
  cpSync(current, committed, { recursive: true });
  console.log(`${committed}/: ${readdirSync(committed).length} reports.`);
}

/** The report alone: what the messages of API Extractor would complain about is checked by other tests. */
function configOf({ report, declaration }) {
  const silent = { default: { logLevel: "none" } };
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: process.cwd(),
      mainEntryPointFilePath: declaration,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: "ES2022",
            module: "NodeNext",
            lib: ["ES2023", "ESNext.Decorators"],
            types: ["node"],
            strict: true,
            skipLibCheck: true,
          },
          files: [declaration],
        },
      },
      newlineKind: "lf",
      apiReport: {
        enabled: true,
        reportFileName: report,
        reportFolder: resolve(current),
        reportTempFolder: resolve("build/api-report-temp"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: resolve("package.json"),
  });
}

/** Only errors are printed; that a report is new is said for each, because build/ starts empty. */
function reportErrors(message) {
  message.handled = true;
  if (message.logLevel === "error") console.error(message.text);
}

/** An edit of a docstring is no change of the API, so a report has neither comments nor notes of missing ones. */
function withoutComments(report) {
  return report
    .replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, "")
    .replace(/^ *\/\/ \(undocumented\)\n/gm, "")
    .replaceAll(" (undocumented)", "");
}
