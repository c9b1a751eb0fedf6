const preset = require('../../jest.preset.js');

// The toolkit has ES modules only, which Jest's conditions do not lead to.
const toolkit = '<rootDir>/../../node_modules/@actions';

module.exports = {
  ...preset,
  displayName: 'auth-action',
  globals: { WEIR_VERSION: '0.0.0' },
  moduleNameMapper: {
    '^@actions/(core|exec|io)$': `${toolkit}/$1/lib/$1.js`,
    '^@actions/(http-[a-z]+)$': `${toolkit}/$1/lib/index.js`,
    '^@actions/([^/]+)/lib/([^/.]+)$': `${toolkit}/$1/lib/$2.js`,
  },
  transformIgnorePatterns: preset.transformIgnorePatterns.map((pattern) => pattern.replace('(?!(', '(?!(@actions|')),
};
