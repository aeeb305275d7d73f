module.exports = require("./temporary-folder.cjs").teardown;
