const preset = require('../../jest.preset.js');

module.exports = {
  ...preset,
  displayName: 'workflow-api',
  // Commands are loaded by `import()`, whose specifiers name the emitted file.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  globalSetup: '<rootDir>/../../packages/test-kit/src/shared-postgres-setup.ts',
  globalTeardown: '<rootDir>/../../packages/test-kit/src/shared-postgres-teardown.ts',
};
