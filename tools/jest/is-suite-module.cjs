const specFile = /[.-]spec\.[cm]?[jt]s$/;

/** Whether each suite evaluates the module itself: specs, because they register tests and hooks when they are loaded. */
function isSuiteModule(file) {
  return specFile.test(file);
}

module.exports = { isSuiteModule };
