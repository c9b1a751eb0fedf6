const { TestEnvironment } = require('jest-environment-node');
const { sharedModulesFor } = require('./shared-modules.cjs');

/** The symbols that jest-circus leaves in the globals while a suite runs. */
const circusSymbols = new Set([
  'EVENT_HANDLERS',
  'JEST_STATE_SYMBOL',
  'LOG_ERRORS_BEFORE_RETRY',
  'RETRY_IMMEDIATELY',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'TEST_TIMEOUT_SYMBOL',
  'WAIT_BEFORE_RETRY',
]);

/**
 * A Node environment whose globals are those of the worker, so that a module evaluated for one suite serves the next.
 * The variables, listeners and `exit` of `process` are restored after each suite.
 */
class SharedEnvironment {
  constructor({ projectConfig, globalConfig }, context) {
    // A watching process outlives the files it has loaded, and coverage counts what a suite itself evaluates.
    if (globalConfig.watch || globalConfig.watchAll || globalConfig.collectCoverage) {
      return new TestEnvironment({ projectConfig, globalConfig }, context);
    }
    this.sharedModules = sharedModulesFor({ projectConfig, globalConfig });
    const { global, moduleMocker, fakeTimers, fakeTimersModern } = this.sharedModules.environment;
    Object.assign(this, { global, moduleMocker, fakeTimers, fakeTimersModern });
    this.restoreProcess = snapshotOf(global.process);
  }

  exportConditions() {
    return this.sharedModules.environment.exportConditions();
  }

  getVmContext() {
    return this.isTornDown ? null : this.sharedModules.environment.getVmContext();
  }

  async setup() {}

  async teardown() {
    if (this.isTornDown) return;
    this.isTornDown = true;
    this.fakeTimersModern.useRealTimers();
    this.restoreProcess();
    for (const symbol of Object.getOwnPropertySymbols(this.global)) {
      if (circusSymbols.has(symbol.description)) delete this.global[symbol];
    }
  }
}

function snapshotOf(process) {
  const env = { ...process.env };
  const { exit } = process;
  const listeners = listenersOf(process);
  return () => {
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    for (const [event, added] of listenersOf(process)) {
      const kept = listeners.get(event) ?? [];
      for (const listener of added) if (!kept.includes(listener)) process.removeListener(event, listener);
    }
  };
}

function listenersOf(process) {
  return new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));
}

module.exports = SharedEnvironment;
