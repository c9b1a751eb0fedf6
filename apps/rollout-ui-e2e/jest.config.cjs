const preset = require('../../jest.preset.js');

module.exports = {
  ...preset,
  displayName: 'rollout-ui-e2e',
};
