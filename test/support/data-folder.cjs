/** Where scripts and tests find real tools, calls and hostile inputs: CommonJS, because both jest and plain Node load it. */
const { existsSync } = require("node:fs");
const { resolve } = require("node:path");

const root = resolve(__dirname, "../..");
const collection = resolve(root, "../shared/data");

/** What every clone has: test/data/README.md. */
const subsetFolder = resolve(root, "test/data");
const named = process.env.TOOLWRIGHT_DATA;
const dataFolder = named ? resolve(root, named) : existsSync(collection) ? collection : subsetFolder;

module.exports = { dataFolder, isSubset: dataFolder === subsetFolder };
