// The npm package of a built app: `pack-app.mjs <app> <folder>` writes it into that folder and prints its file. It has
// the npm packages that the app loads with it, so that installing it resolves nothing but the packages which have a
// part for each platform. Packages that the app does not require are optional peers, which users install themselves.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyProgram, copySmaller } from './copy-smaller.mjs';
import { topPackages, traceModules } from './trace-modules.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const [app, target] = process.argv.slice(2);
if (!app || !target) throw new Error('usage: pack-app.mjs <app folder> <target folder>');

const appFolder = path.resolve(app);
const { name, description, license, engines, bin } = readManifest(appFolder);
const { version, repository } = readManifest(root);
const { files, installed, optional, separate } = await traceModules(appFolder);
const places = new Set(files.map(([, place]) => place));
const bundled = topPackages(files);
const bundledVersions = Object.fromEntries(bundled.map((each) => [each, versionOf(each)]));
const commands = Object.keys(bin ?? { [path.basename(name)]: '' });
const manifest = {
  ...{ name, version, description, license, engines, repository },
  bin: Object.fromEntries(commands.map((command) => [command, 'dist/main.js'])),
  files: ['dist', 'NOTICE'],
  dependencies: { ...bundledVersions, ...installed },
  bundleDependencies: bundled,
  peerDependencies: { ...optional, ...separate },
  peerDependenciesMeta: Object.fromEntries(
    Object.keys({ ...optional, ...separate }).map((each) => [each, { optional: true }]),
  ),
};

mkdirSync(target, { recursive: true });
const draft = mkdtempSync(path.join(tmpdir(), 'weir-pack-'));
try {
  copyProgram(appFolder, path.join(draft, 'dist'));
  cpSync(path.join(appFolder, 'README.md'), path.join(draft, 'README.md'));
  for (const name of ['LICENSE', 'NOTICE']) cpSync(path.join(root, name), path.join(draft, name));
  for (const [source, place] of files) copyModule(source, place);
  writeFileSync(path.join(draft, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['pack', '--json', '--pack-destination', path.resolve(target)];
  const { status, stdout, stderr } = spawnSync(npm, args, { cwd: draft, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack ended with ${status}:\n${stderr}`);
  process.stdout.write(`${path.join(path.resolve(target), JSON.parse(stdout)[0].filename)}\n`);
} finally {
  rmSync(draft, { recursive: true, force: true });
}

function readManifest(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
}

function versionOf(bundledName) {
  const [source] = files.find(([, place]) => place === `node_modules/${bundledName}/package.json`);
  return readManifest(path.dirname(source)).version;
}

/** Without scripts, and without dependencies that are not loaded, which npm would install. */
function copyModule(source, place) {
  const file = path.join(draft, place);
  if (path.basename(source) !== 'package.json') {
    copySmaller(source, file);
    return;
  }
  const { dependencies = {}, ...others } = readManifest(path.dirname(source));
  const unwanted = /^(scripts|bundle[dD]ependencies|(dev|peer|optional)Dependencies|peerDependenciesMeta)$/;
  const kept = Object.entries(others).filter(([key]) => !unwanted.test(key));
  const loaded = Object.entries(dependencies).filter(([each]) => isLoadedFrom(path.dirname(place), each));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...Object.fromEntries(kept), dependencies: Object.fromEntries(loaded) })}\n`);
}

/** Whether a package is in the folder of packages of this place, or of one above it. */
function isLoadedFrom(place, each) {
  const folders = place.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'));
  return ['', ...folders.map((folder) => `${folder}/`)].some((folder) =>
    places.has(`${folder}node_modules/${each}/package.json`),
  );
}
