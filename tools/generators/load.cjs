// Nx requires generators as they are; the sources are TypeScript.
require('tsx/cjs');

module.exports = {
  packageGenerator: (...args) => require('./package/package-generator').packageGenerator(...args),
  featureGenerator: (...args) => require('./feature/feature-generator').featureGenerator(...args),
  adrGenerator: (...args) => require('./adr/adr-generator').adrGenerator(...args),
};
