// People run this file. It loads the program when this Node can carry it, and otherwise starts itself under the Node that the
// set-up installed. The SQLite driver crashes on an older Node, so this must come before all else.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { main } from './main';

const oldest = readOldestNode();
const program = path.join(__dirname, 'program.js');
const stopWithParent = path.join(__dirname, 'stop-with-parent.js');
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Reads the `22.16` of `>=22.16` in `engines` of the package. */
function readOldestNode(): string {
  const manifest = readFileSync(path.join(__dirname, '../package.json'), 'utf8');
  const { engines } = JSON.parse(manifest) as { readonly engines: { readonly node: string } };
  return engines.node.replace('>=', '');
}

/** Does not use `localeCompare`, whose tables take 15 ms to load. */
function isNewEnough(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** Names what gives a newer Node: the set-up of a checkout, which a package does not have. */
function adviseNode(): string {
  const isCheckout = existsSync(path.resolve(__dirname, '../../../tools/setup'));
  return isCheckout ? '"npm run setup" brings one along' : 'Install a newer one, for example from https://nodejs.org';
}

/** Finds the Node that `tools/setup` installed, starting from the built file. */
function findInstalledNode(): string | undefined {
  const folder = path.resolve(__dirname, '../../../.runtime/node_modules');
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => path.join(folder, name, binary)).find((file) => existsSync(file));
}

/** Halves the time that a command takes to start. Where the folder cannot be written, nothing is cached. */
function keepCompiledCode(): void {
  // The folder belongs to the user, because cached code is executed: others could write to a shared folder, such as the system's
  // for temporary files.
  enableCompileCache(path.join(os.homedir(), '.cache', 'weir'));
}

/**
 * What is loaded stays, so a larger heap of young objects would only be filled once. A program that then works on lets it
 * grow again.
 */
function keepYoungHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

function runUnder(binary: string): ChildProcess {
  // The child gets a group of its own: a terminal sends Ctrl-C to a whole group, and the program would get each signal twice.
  const child = spawn(binary, ['--require', stopWithParent, __filename, ...process.argv.slice(2)], {
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // oxlint-disable-next-line no-restricted-properties -- passed on; the name by which it was called would be lost
    env: { ...process.env, ...(path.basename(process.argv[1] ?? '') === 'dagu' ? { WEIR_COMPAT: 'dagu' } : {}) },
  });
  for (const signal of signals) process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
  return child;
}

if (isNewEnough()) {
  keepCompiledCode();
  keepYoungHeapSmall();
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load the program before the check
  void (require(program) as { readonly main: typeof main }).main();
} else {
  const binary = findInstalledNode();
  if (binary === undefined) {
    process.stderr.write(
      `weir: Node ${process.versions.node} is too old: ${oldest} or newer is needed. ${adviseNode()}.\n`,
    );
    process.exit(1);
  }
  runUnder(binary);
}
