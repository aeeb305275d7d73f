/**
 * Jest's environment for Node, made cheaper. Each test file still has globals and module instances of its own.
 *
 * An AsyncLocalStorage that was used once is asked about each new promise of the process from then on, before Node 24. Those of a test
 * file are disabled when the file has ended; otherwise each file would slow down all files after it, and none would leave the memory.
 *
 * A module is compiled once in a process, and each test file runs the compiled script in its own context: `vm.compileFunction`, which
 * jest calls, compiles again for each file. The context's global object is an ordinary one: jest gives `vm.createContext` a proxy, which
 * makes each use of `Object` or `Map` a call of the proxy.
 */
const { AsyncLocalStorage } = require("node:async_hooks");
const v8 = require("node:v8");
const vm = require("node:vm");
const { TestEnvironment } = require("jest-environment-node");

// A function that wasn't called for a while stays compiled: the next test file calls it.
v8.setFlagsFromString("--no-flush-bytecode");

const { compileFunction, createContext } = vm;
const compiled = new Map();

vm.compileFunction = (source, parameters, options = {}) => {
  const { filename, parsingContext } = options;
  if (filename === undefined || parsingContext === undefined) return compileFunction(source, parameters, options);
  const head = `(function (${parameters}) {`;
  let known = compiled.get(filename);
  if (known?.head !== head || known.source !== source) {
    const script = new vm.Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
    known = { head, source, script };
    compiled.set(filename, known);
  }
  return known.script.runInContext(parsingContext);
};

/** Those that were used since the last test file ended. */
const storages = new Set();
const { _enable: enable } = AsyncLocalStorage.prototype;
if (enable !== undefined) {
  AsyncLocalStorage.prototype._enable = function () {
    storages.add(this);
    enable.call(this);
  };
}

module.exports = class extends TestEnvironment {
  constructor(...parameters) {
    // Before Node 20.18 there is no ordinary global object.
    if (vm.constants?.DONT_CONTEXTIFY !== undefined) vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...parameters);
    } finally {
      vm.createContext = createContext;
    }
  }

  async teardown() {
    await super.teardown();
    for (const storage of storages) storage.disable();
    storages.clear();
  }
};
