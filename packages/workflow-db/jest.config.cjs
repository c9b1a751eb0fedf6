const preset = require('../../jest.preset.js');

module.exports = {
  ...preset,
  displayName: 'workflow-db',
  globalSetup: '<rootDir>/../test-kit/src/shared-postgres-setup.ts',
  globalTeardown: '<rootDir>/../test-kit/src/shared-postgres-teardown.ts',
};
