/** Finds `./name.js` of a TypeScript source: `./name.ts` beside it. Everything else is resolved as jest does by itself. */
const { existsSync } = require("node:fs");
const { join } = require("node:path");

module.exports = (request, options) => {
  if (/^\.{1,2}\/.*\.js$/.test(request) && !options.basedir.includes("/node_modules/")) {
    const source = join(options.basedir, `${request.slice(0, -3)}.ts`);
    if (existsSync(source)) return source;
  }
  return options.defaultResolver(request, options);
};
