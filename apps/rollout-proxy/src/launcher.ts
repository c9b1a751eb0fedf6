// The entry file. It checks the version of Node before the program is loaded.
import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const oldest = readOldestNode();

/** The `22.16` of `>=22.16` in `engines` of the package. */
function readOldestNode(): string {
  const manifest = readFileSync(path.join(__dirname, '../package.json'), 'utf8');
  const { engines } = JSON.parse(manifest) as { readonly engines: { readonly node: string } };
  return engines.node.replace('>=', '');
}

/** `localeCompare` is avoided because its tables take 15 ms to load. */
function isNewEnough(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** Names what gives a newer Node: the set-up of a checkout, which a package does not have. */
function adviseNode(): string {
  const isCheckout = existsSync(path.resolve(__dirname, '../../../tools/setup'));
  return isCheckout
    ? '"npm start" in the root of the repository installs one'
    : 'Install a newer one, for example from https://nodejs.org';
}

if (isNewEnough()) {
  // Owned by the user, because what is cached is executed. Where the folder cannot be written, nothing is cached.
  enableCompileCache(path.join(os.homedir(), '.cache', 'weir'));
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load the program before the check
  require(path.join(__dirname, 'program.js'));
} else {
  process.stderr.write(
    `rollout-proxy: Node ${process.versions.node} is too old: ${oldest} or newer is required. ${adviseNode()}.\n`,
  );
  process.exit(1);
}
