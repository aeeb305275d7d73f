/**
 * node check-projects.cjs FOLDER/tsconfig.json...
 *
 * Checks several projects with TypeScript 6, as `tsc6 -p` does, and prints a JSON list with the errors of each. It reads a file that
 * several of them have once, which is most of the work: the standard library and the packages.
 */
const ts = require("typescript");

const sources = new Map();

function errorsOf(project) {
  const parsed = ts.getParsedCommandLineOfConfigFile(project, {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} });
  const host = ts.createCompilerHost(parsed.options);
  const read = host.getSourceFile;
  host.getSourceFile = (file, ...rest) => {
    // What stands in the project's folder is short, and its kind may depend on the project.
    if (!file.endsWith(".d.ts")) return read(file, ...rest);
    if (!sources.has(file)) sources.set(file, read(file, ...rest));
    return sources.get(file);
  };
  const program = ts.createProgram({ rootNames: parsed.fileNames, options: parsed.options, host });
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), { ...host, getNewLine: () => "\n" });
}

process.stdout.write(JSON.stringify(process.argv.slice(2).map(errorsOf)));
