/**
 * Jest's runtime, made cheaper. Jest finds, reads and prepares each module again for each test file; here the test files of one run share
 * what was found and read. Each still runs its modules itself.
 *
 * This replaces members of jest's classes that aren't documented. If a later jest lacks them, tests are slower and still right.
 */
const { join } = require("node:path");
const { default: Runtime } = require("jest-runtime");

class Kept extends Map {
  clear() {
    // Jest empties the map after each test file.
  }
}

/** What test files share, by the resolver of their run: in watch mode, each run has a new one. */
const runs = new WeakMap();

function sharedBy(resolver) {
  const known = runs.get(resolver) ?? { paths: new Kept(), mocks: new Map(), texts: new Map(), modules: new Map() };
  runs.set(resolver, known);
  return known;
}

/** Folders whose files no test writes. */
const fixedFolders = ["node_modules/", "src/", "test/", "build/vendor/"];

module.exports = class extends Runtime {
  #paths;

  constructor(config, environment, resolver, ...others) {
    super(config, environment, resolver, ...others);
    const { paths, mocks, texts, modules } = sharedBy(resolver);
    const { _resolution: resolution, transformCache, jestGlobals } = this;
    const folders = fixedFolders.map((folder) => join(config.rootDir, folder));
    const isFixed = (path) => folders.some((folder) => path.startsWith(folder));

    this.#paths = paths;
    if (resolution?.cjsCache instanceof Map) resolution.cjsCache = paths;
    replace(resolution, "getCjsMockModule", (find) => (from, name) => once(mocks, `${from}\0${name}`, () => find(from, name)));
    replace(transformCache, "transform", (transform) => (path, options) => {
      if (!isFixed(path)) return transform(path, options);
      if (options?.isInternalModule) return once(texts, path, () => transform(path, options));
      if (options !== undefined) return transform(path, options);
      if (!modules.has(path)) transform(path, options);
      const module = once(modules, path, () => transformCache.transforms.get(path));
      transformCache.transforms.set(path, module);
      if (module.sourceMapPath) transformCache.sourceMaps.set(path, module.sourceMapPath);
      return module.code;
    });
    // The object that a module calls `jest`: only tests use it.
    const tests = join(config.rootDir, "test/");
    const [, , , testPath] = others;
    replace(jestGlobals, "jestObjectFor", (make) => (path) => make(path.startsWith(tests) ? path : testPath));
  }

  /** Most requests are for a module that the test file has already. */
  requireModuleOrMock(from, name) {
    if (this.mockState?.explicitCjsMock?.size === 0) {
      const path = this.#paths.get(`${from}\0${name}`);
      const module = path === undefined ? undefined : this.registries?.getActiveCjsRegistry?.().get(path);
      if (module !== undefined) return module.exports;
    }
    return super.requireModuleOrMock(from, name);
  }
};

function replace(owner, name, wrap) {
  const own = owner?.[name];
  if (typeof own === "function") owner[name] = wrap(own.bind(owner));
}

function once(known, key, find) {
  if (!known.has(key)) known.set(key, find());
  return known.get(key);
}
