// The outcome of a run of all suites, from the results that Jest writes, and of a second try of the failed ones.
const path = require('node:path');
const { stripVTControlCharacters } = require('node:util');

/** More failed suites than this are no chance: the change broke something, and a second try would only take time. */
const mostSuitesTriedAgain = 20;

/** The files of the suites that failed; empty when they are too many for a second try. */
function suitesToTryAgain(results) {
  const files = failedSuites(results).map(({ name }) => name);
  return files.length > mostSuitesTriedAgain ? [] : files;
}

/**
 * Joins a run with the second try of its failed suites. `failed` failed twice, or was not tried again; `unstable` passed
 * the second time. Each entry is one line: suite, case and the first error.
 */
function concludeRun({ root, first, second }) {
  const passedNow = new Set(second?.testResults.filter(({ status }) => status === 'passed').map(({ name }) => name));
  const suites = failedSuites(first);
  const failed = suites.filter(({ name }) => !passedNow.has(name)).flatMap((suite) => failuresOf(root, suite));
  const unstable = suites.filter(({ name }) => passedNow.has(name)).flatMap((suite) => failuresOf(root, suite));
  const skipped = first.numPendingTests + first.numTodoTests;
  return { failed, unstable, passed: first.numPassedTests + unstable.length, skipped };
}

const failedSuites = (results) => results.testResults.filter(({ status }) => status === 'failed');

/** A suite that could not be loaded counts as one case, since it has none itself. */
function failuresOf(root, { name, message, assertionResults }) {
  const file = path.relative(root, name);
  const cases = assertionResults.filter(({ status }) => status === 'failed');
  if (cases.length === 0) return [`${file}: ${firstLine(message)}`];
  return cases.map(({ fullName, failureMessages }) => `${file}: ${fullName}: ${firstLine(failureMessages[0])}`);
}

/** The first line that says something, without the colours of a terminal. */
function firstLine(message = '') {
  const lines = stripVTControlCharacters(message).split('\n');
  return lines.map((line) => line.trim()).find((line) => line !== '' && !line.startsWith('●')) ?? 'no message';
}

module.exports = { suitesToTryAgain, concludeRun };
