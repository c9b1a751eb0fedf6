// The first steps of every script here, in plain JavaScript for Node 20.11 and newer: Node, node_modules, built
// servers.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const root = path.resolve(import.meta.dirname, '../..');
const runtimeFolder = path.join(root, '.runtime');
export const inWorkspace = (file) => path.join(root, file);
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Runs a command to its end, with the signals that this process gets, and resolves with its exit code. */
export async function run(file, args, options) {
  const child = spawn(file, args, { cwd: root, stdio: 'inherit', ...options });
  const pass = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Resolves with the binary of Node and the environment in which the installed tools run. */
export async function ensureTools() {
  const node = await ensureNode();
  const PATH = [path.dirname(node), inWorkspace('node_modules/.bin'), process.env.PATH].join(path.delimiter);
  const env = { ...process.env, PATH };
  await unless(isInstalled, () => npmCi('installing dependencies, about a minute', root, env));
  return { node, env };
}

/** The same with generated database clients and built servers. Nx knows which of them are up to date. */
export async function ensureBuilt() {
  const { node, env } = await ensureTools();
  const nx = [inWorkspace('node_modules/nx/dist/bin/nx.js'), 'run-many', '-t', 'build', '--output-style=static'];
  await exclusively(() => {
    const args = [...nx, '-p', '@weir/workflow-api', '@weir/rollout-proxy'];
    const { status, stdout, stderr } = spawnSync(node, args, { cwd: root, env, encoding: 'utf8' });
    if (status !== 0) stop(`building the servers failed:\n${stdout}${stderr}`);
  });
  return { node, env };
}

async function ensureNode() {
  const oldest = readJson(inWorkspace('package.json')).engines.node.replace('>=', '');
  if (process.versions.node.localeCompare(oldest, 'en', { numeric: true }) >= 0) return process.execPath;
  await unless(findNode, async () => {
    cpSync(inWorkspace('tools/setup/node'), runtimeFolder, { recursive: true });
    await npmCi(`bringing in a newer Node than ${process.version}`, runtimeFolder, process.env);
  });
  return findNode() ?? stop(`no Node for ${process.platform}-${process.arch} is known; install ${oldest} or newer`);
}

/** Its lockfile names a package for each platform, of which npm installs one. */
function findNode() {
  const folder = path.join(runtimeFolder, 'node_modules');
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const names = existsSync(path.join(folder, '.package-lock.json')) ? readdirSync(folder) : [];
  return names.map((name) => path.join(folder, name, binary)).find((file) => existsSync(file));
}

/** Compares the lockfile with the record that npm writes last, so that an interrupted installation is done again. */
function isInstalled() {
  const record = inWorkspace('node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const [installed, wanted] = [record, inWorkspace('package-lock.json')].map(readJson);
  return Object.entries(wanted.packages).every(([folder, { version, link, optional, devOptional }]) => {
    if (!folder.includes('node_modules/') || optional || devOptional) return true;
    // The record leaves out what lies in the folder of a workspace.
    const isRecorded = folder.startsWith('node_modules/') && !link;
    return isRecorded ? installed.packages[folder]?.version === version : existsSync(inWorkspace(folder));
  });
}

async function npmCi(label, cwd, env) {
  process.stderr.write(`weir: ${label} …\n`);
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // Standard output belongs to the command that was asked for.
  const code = await run('npm', args, { cwd, env, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (code !== 0) stop(`${label} failed, for the reason that npm gives above`);
}

const unless = async (isDone, work) => isDone() || exclusively(async () => isDone() || work());

/** Only one set-up runs at a time in a checkout. The lock of a process that is gone is removed. */
export async function exclusively(work) {
  const lock = path.join(runtimeFolder, 'setup.lock');
  mkdirSync(runtimeFolder, { recursive: true });
  while (!tryLock(lock)) await delay(200);
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') stop(`${lock} cannot be written (${error.code})`);
  }
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
  } catch (error) {
    if (error.code === 'ESRCH') rmSync(lock, { force: true });
  }
  return false;
}

function stop(message) {
  process.stderr.write(`weir: ${message}\n`);
  process.exit(1);
}
