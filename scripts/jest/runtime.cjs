/** Jest's runtime, which reads a source again for each test file. Here a source is read once, and again after it changed. */
const { statSync } = require("node:fs");
const { default: Runtime } = require("jest-runtime");

const sources = new Map();

/** What jest knows of the file system in one test file: the text of each file that it read. */
class Sources extends Map {
  get(path) {
    const own = super.get(path);
    if (own !== undefined) return own;
    const known = sources.get(path);
    return known !== undefined && known.modified === modificationOf(path) ? known.source : undefined;
  }

  set(path, source) {
    sources.set(path, { source, modified: modificationOf(path) });
    return super.set(path, source);
  }
}

const modificationOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

module.exports = class extends Runtime {
  constructor(config, environment, resolver, transformer, read, ...rest) {
    super(config, environment, resolver, transformer, new Sources(read), ...rest);
  }
};
