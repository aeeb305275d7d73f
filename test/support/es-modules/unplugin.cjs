// Jest can't load ES modules, but Node's own require can, which is outside of the context that tests run in.
const { createRequire } = require("node:vm").runInThisContext('process.getBuiltinModule("node:module")');
module.exports = { ...createRequire(__filename)("unplugin") };
