const preset = require('../../jest.preset.js');

module.exports = {
  ...preset,
  displayName: 'workflow-ui-e2e',
};
