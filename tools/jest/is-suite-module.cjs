const ofSuites = /(?:[.-]spec|\.setup)\.[cm]?[jt]s$/;

/**
 * Whether each suite evaluates the module itself: specs and set-up files, because they register tests, hooks and
 * retries when they are loaded.
 */
function isSuiteModule(file) {
  return ofSuites.test(file);
}

module.exports = { isSuiteModule };
