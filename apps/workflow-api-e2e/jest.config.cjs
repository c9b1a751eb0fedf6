const { availableParallelism } = require('node:os');
const preset = require('../../jest.preset.js');

module.exports = {
  ...preset,
  displayName: 'workflow-api-e2e',
  testTimeout: 30_000,
  // Jest keeps a processor for itself; here it mostly waits for programs that the specs start.
  maxWorkers: availableParallelism(),
};
