/** Gives a run of the tests a temporary folder of its own, which is removed with all that they left in it. */
const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

module.exports = function makeTemporaryFolder() {
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), "toolwright-tests-"));
};

module.exports.teardown = function removeTemporaryFolder() {
  rmSync(process.env.TMPDIR, { recursive: true, force: true });
};
