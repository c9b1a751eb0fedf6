// The Node that runners have for an action, in `.runtime` and nowhere else: `node tools/setup/runner-node.mjs 20`. Prints
// JSON on standard output: `{ node }`, or `{ missing }` with the reason why this machine has none.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { exclusively, inWorkspace } from './ensure.mjs';

/** Where the lockfile for a major version is, and where it is installed. */
const places = {
  20: ['tools/setup/node-20', '.runtime/node-20'],
  22: ['tools/setup/node-22', '.runtime/node-22'],
  24: ['tools/setup/node', '.runtime'],
};

function findNode(folder, major) {
  const modules = path.join(folder, 'node_modules');
  // npm writes this record last.
  if (!existsSync(path.join(modules, '.package-lock.json'))) return undefined;
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  return readdirSync(modules)
    .map((name) => path.join(modules, name, binary))
    .find((file) => existsSync(file) && readVersion(file).startsWith(`v${major}.`));
}

function readVersion(node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 10_000 }).stdout ?? '';
}

function ensureNode(major) {
  if (!(major in places)) return { missing: `no package for Node ${major} is known` };
  const [source, target] = places[major].map(inWorkspace);
  const installed = findNode(target, major);
  if (installed !== undefined) return { node: installed };
  cpSync(source, target, { recursive: true });
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', args, {
    cwd: target,
    encoding: 'utf8',
    timeout: 120_000,
    shell: process.platform === 'win32',
  });
  if (status !== 0) return { missing: `npm did not install Node ${major}: ${String(stderr).trim().split('\n')[0]}` };
  const node = findNode(target, major);
  return node === undefined ? { missing: `Node ${major} has no package for this platform` } : { node };
}

process.stdout.write(`${JSON.stringify(await exclusively(() => ensureNode(Number(process.argv[2]))))}\n`);
