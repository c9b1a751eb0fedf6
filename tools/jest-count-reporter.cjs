/** Ends a run of all projects with one line that CI reads. */
module.exports = class CountReporter {
  onRunComplete(_contexts, results) {
    // A suite that could not be loaded has no failed test of its own.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    process.stdout.write(`\n${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`);
  }
};
