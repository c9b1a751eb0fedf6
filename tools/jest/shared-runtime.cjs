const path = require('node:path');
const Runtime = require('jest-runtime').default;
const { isSuiteModule } = require('./is-suite-module.cjs');

// It holds the tests of a suite, so each suite evaluates it.
const circus = path.dirname(require.resolve('jest-circus/package.json')) + path.sep;

/** Evaluates what belongs to one suite, and takes every other module from those that the suites of a worker share. */
class SharedRuntime extends Runtime {
  constructor(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig) {
    super(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig);
    this.shared = environment.sharedModules?.runtimeWith({ resolver, transformer });
    this.isRunning = true;
  }

  requireModule(from, moduleName, options, isRequireActual) {
    if (this.shared === undefined || (moduleName !== undefined && this._resolution.isCoreModule(moduleName))) {
      return super.requireModule(from, moduleName, options, isRequireActual);
    }
    const file = this._resolution.resolveCjs(from, moduleName);
    const isOwn = options?.isInternalModule ? file.startsWith(circus) : isSuiteModule(file);
    return isOwn
      ? super.requireModule(from, moduleName, options, isRequireActual)
      : this.shared.requireModule(file, undefined, options);
  }

  resetModules() {
    // Jest calls this too, before the first test and after the last.
    if (this.isRunning) this.refuse('jest.resetModules()');
    super.resetModules();
  }

  isolateModules(load) {
    this.refuse('jest.isolateModules()');
    super.isolateModules(load);
  }

  async isolateModulesAsync(load) {
    this.refuse('jest.isolateModulesAsync()');
    await super.isolateModulesAsync(load);
  }

  setMock(from, moduleName, factory, options) {
    this.refuse('jest.mock()');
    super.setMock(from, moduleName, factory, options);
  }

  teardown() {
    this.isRunning = false;
    super.teardown();
  }

  /** Refuses what would reach the modules of other suites. */
  refuse(call) {
    if (this.shared !== undefined) {
      throw new Error(`${call} needs modules of the suite's own: begin the file with "/** @jest-environment node */".`);
    }
  }

  /** Returns the source maps of the suite's own files and of the shared ones, as they are transformed. */
  getSourceMaps() {
    const own = super.getSourceMaps();
    return this.shared === undefined ? own : new JoinedMaps(own, this.shared.getSourceMaps());
  }
}

class JoinedMaps {
  constructor(...maps) {
    this.maps = maps;
  }

  get(file) {
    return this.maps.map((map) => map.get(file)).find((sourceMap) => sourceMap !== undefined);
  }

  *[Symbol.iterator]() {
    for (const map of this.maps) yield* map;
  }
}

// The name under which Jest looks for it.
module.exports = { default: SharedRuntime, __esModule: true };
