/**
 * Compiles TypeScript with ts-jest. Starting ts-jest loads the whole compiler, once in every worker; so this starts it only if jest's
 * cache lacks a file. Jest keeps source maps in files of their own; without the map at its end, a module is a third as long. Debuggers
 * read only that map, so a process that is inspected keeps it.
 */
const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const inspector = require("node:inspector");

const versions = ["ts-jest", "typescript"].map((name) => require(`${name}/package.json`).version);
const ownSource = readFileSync(__filename);
const inspected = inspector.url() !== undefined;
const inlineMap = /\n\/\/# sourceMappingURL=data:application\/json;[^,\n]*base64,([\w+/=]+)\s*$/;

module.exports.createTransformer = (options) => {
  const common = JSON.stringify([versions, options, inspected]);
  let compiler;
  return {
    getCacheKey: (source, path, { instrument }) =>
      createHash("sha1").update(ownSource).update(`${common}\0${instrument}\0${path}\0${source}`).digest("hex"),
    process(source, path, transformOptions) {
      compiler ??= require("ts-jest").default.createTransformer(options);
      const { code } = compiler.process(source, path, transformOptions);
      const map = inspected ? null : inlineMap.exec(code);
      if (map === null) return { code };
      return { code: code.slice(0, map.index), map: JSON.parse(Buffer.from(map[1], "base64").toString()) };
    },
  };
};
