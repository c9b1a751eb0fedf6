const preset = require('../jest.preset.js');

module.exports = { ...preset, displayName: 'tools', testMatch: ['**/*.spec.ts'] };
