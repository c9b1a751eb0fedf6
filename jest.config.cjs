const { availableParallelism } = require('node:os');

/** `npm test` and editors: every project in one Jest, so that its workers are busy to the end. */
module.exports = {
  projects: ['<rootDir>/apps/*', '<rootDir>/packages/*', '<rootDir>/tools'],
  reporters: ['default', '<rootDir>/tools/jest-count-reporter.cjs'],
  // Jest would keep a processor for itself; it has little to do but wait.
  maxWorkers: Math.max(2, availableParallelism()),
  // Of all projects, whatever their own configuration says. Generous: what hangs is found all the same.
  testTimeout: 60_000,
  // `npm test -- auth-action --coverage` fails below this.
  coverageThreshold: { './packages/auth-action/src/': { statements: 100, branches: 100, functions: 100, lines: 100 } },
};
