// Esbuild must be of the same context as unplugin, whose regular expressions it checks.
const { createRequire } = require("node:vm").runInThisContext('process.getBuiltinModule("node:module")');
module.exports = createRequire(__filename)("esbuild");
