const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');
const Runtime = require('jest-runtime').default;

/** The key covers everything that changes what a module evaluates to: projects with equal keys share their modules. */
const byConfiguration = new Map();

/** The globals and the evaluated modules that the suites of this worker share, created for the first of them. */
function sharedModulesFor({ projectConfig, globalConfig }) {
  const { globals, moduleNameMapper, transform, transformIgnorePatterns, testEnvironmentOptions } = projectConfig;
  const key = JSON.stringify({ globals, moduleNameMapper, transform, transformIgnorePatterns, testEnvironmentOptions });
  let shared = byConfiguration.get(key);
  if (shared === undefined) {
    shared = createSharedModules(projectConfig, globalConfig);
    byConfiguration.set(key, shared);
  }
  return shared;
}

function createSharedModules(projectConfig, globalConfig) {
  const environment = createEnvironment({ projectConfig, globalConfig });
  let runtime;
  return {
    environment,
    /** The runtime that evaluates shared modules. It outlives the suite whose resolver and transformer it gets. */
    runtimeWith: ({ resolver, transformer }) =>
      (runtime ??= new Runtime(
        projectConfig,
        environment,
        resolver,
        transformer,
        new Map(),
        {},
        __filename,
        globalConfig,
      )),
  };
}

/** Jest's own context asks a proxy for each global, at some 300 ns: `Math` in a loop becomes most of its time. */
function createEnvironment(configs) {
  const { createContext } = vm;
  vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
  try {
    return new TestEnvironment(configs);
  } finally {
    vm.createContext = createContext;
  }
}

module.exports = { sharedModulesFor };
