import { isSuiteModule } from './is-suite-module.cjs';

it.each([
  ['/w/apps/a/src/user.spec.ts', true],
  ['/w/apps/a/src/user-repository.contract-spec.ts', true],
  ['/w/tools/jest/seed-properties.setup.cjs', true],
  ['/w/apps/a/src/testing/test-api.ts', false],
  ['/w/apps/a/src/first-setup.ts', false],
  ['/w/apps/a/src/user.ts', false],
  ['/w/packages/a/src/inspector.ts', false],
  ['/w/node_modules/a/index.js', false],
])('%s: %s', (file, expected) => {
  expect(isSuiteModule(file)).toBe(expected);
});
