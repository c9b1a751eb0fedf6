const { globSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const path = require('node:path');

/** `npm test` and editors: every project in one Jest, so that its workers are busy to the end. */
module.exports = {
  projects: globSync('{apps/*,packages/*,tools}/jest.config.cjs', { cwd: __dirname }).map(
    (file) => `<rootDir>/${path.dirname(file)}`,
  ),
  testSequencer: '<rootDir>/tools/jest/slow-first-sequencer.cjs',
  // Specs wait for processes and timers for half of their time, so two more than there are processors.
  maxWorkers: availableParallelism() + 2,
  // Of all projects, whatever their own configuration says. Generous: what hangs is found all the same.
  testTimeout: 120_000,
  // `npm test -- auth-action --coverage` fails below this.
  coverageThreshold: { './packages/auth-action/src/': { statements: 100, branches: 100, functions: 100, lines: 100 } },
};
