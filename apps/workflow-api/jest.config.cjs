const preset = require('../../jest.preset.js');

module.exports = {
  ...preset,
  displayName: 'workflow-api',
  globalSetup: '<rootDir>/../../packages/test-kit/src/shared-postgres-setup.ts',
  globalTeardown: '<rootDir>/../../packages/test-kit/src/shared-postgres-teardown.ts',
};
