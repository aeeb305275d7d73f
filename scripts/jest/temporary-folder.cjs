/** Gives a run of the tests a temporary folder of its own, which is removed with all that they left in it. */
const { chmodSync, mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

module.exports = function makeTemporaryFolder() {
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), "toolwright-tests-"));
  // Tests of what a user may not read run as another user, who must come that far.
  chmodSync(process.env.TMPDIR, 0o755);
};

module.exports.teardown = function removeTemporaryFolder() {
  rmSync(process.env.TMPDIR, { recursive: true, force: true });
};
