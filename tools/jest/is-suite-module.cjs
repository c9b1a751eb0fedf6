const path = require('node:path');

const specFile = /[.-]spec\.[cm]?[jt]s$/;
const suiteFolders = new Set(['testing', 'support', '__fixtures__']);

/** Whether each suite gets its own copy of the module: specs, and helpers of specs, which may register hooks. */
function isSuiteModule(file) {
  if (file.includes(`${path.sep}node_modules${path.sep}`)) return false;
  return specFile.test(file) || file.split(path.sep).some((part) => suiteFolders.has(part));
}

module.exports = { isSuiteModule };
