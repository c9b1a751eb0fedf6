// Writes one small file per Jest run, so that `npm test` can add up what the projects did.
const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');

module.exports = class CountReporter {
  onRunComplete(_contexts, results) {
    const folder = process.env.WEIR_TEST_COUNTS;
    if (!folder) return;
    const counts = {
      passed: results.numPassedTests,
      // A suite that could not even load has no failed test of its own.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify(counts));
  }
};
