const { readFileSync } = require('node:fs');
const path = require('node:path');
const { parse } = require('yaml');
const preset = require('../../jest.preset.js');

// The toolkit has ES modules only, which Jest's conditions do not lead to.
const toolkit = '<rootDir>/../../node_modules/@actions';

const { inputs } = parse(readFileSync(path.join(__dirname, 'action.yml'), 'utf8'));
const inputDefaults = Object.fromEntries(Object.entries(inputs).map(([name, field]) => [name, field.default ?? '']));

module.exports = {
  ...preset,
  displayName: 'auth-action',
  collectCoverageFrom: ['src/**/*.ts', '!src/**/*.spec.ts', '!src/**/*.contract-spec.ts'],
  // Doubles and drivers of specs. A project's patterns, unlike its `collectCoverageFrom`, hold in a run of all projects.
  coveragePathIgnorePatterns: ['/node_modules/', '/src/(?:[^/]+/)?testing/'],
  globals: { WEIR_VERSION: '0.0.0', WEIR_INPUT_DEFAULTS: inputDefaults },
  moduleNameMapper: {
    // The files that a bundle loads at run time have sources of the same name.
    '^(\\.\\.?/(?:.+/)?(?:aws|azure|create-tunnel|explain-cause|failure|index|other-clouds|publish-configuration|publish-packages|publish-registries|revoke-token|run-check|undo-saved))\\.js$':
      '$1',
    '^@actions/(core|exec|io)$': `${toolkit}/$1/lib/$1.js`,
    '^@actions/(http-[a-z]+)$': `${toolkit}/$1/lib/index.js`,
    '^@actions/([^/]+)/lib/([^/.]+)$': `${toolkit}/$1/lib/$2.js`,
  },
  transformIgnorePatterns: preset.transformIgnorePatterns.map((pattern) => pattern.replace('(?!(', '(?!(@actions|')),
};
