// The npm package of a built app: `pack-app.mjs <app> <folder>` writes it into that folder and prints its file. What is
// in the bundle is no dependency any more; what stays outside is one, in the version that the repository tests. What a
// package of ours can do without is an optional peer: who wants it installs it.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const [app, target] = process.argv.slice(2);
if (!app || !target) throw new Error('usage: pack-app.mjs <app folder> <target folder>');

const seen = new Set();
const readManifest = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** Those of the app and of our packages in its bundle. */
function npmDependencies(folder, found = new Map(), optional = new Set()) {
  const { dependencies = {}, peerDependenciesMeta = {} } = readManifest(folder);
  for (const [name, meta] of Object.entries(peerDependenciesMeta)) if (meta.optional) optional.add(name);
  for (const [name, version] of Object.entries(dependencies)) {
    if (name.startsWith('@weir/')) {
      if (seen.has(name)) continue;
      seen.add(name);
      npmDependencies(path.join(root, 'packages', name.slice('@weir/'.length)), found, optional);
    } else if ((found.get(name) ?? version) !== version) {
      throw new Error(`${name} is needed in two versions: ${found.get(name)} and ${version}`);
    } else found.set(name, version);
  }
  const sorted = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  const pick = (isOptional) => sorted.filter(([name]) => optional.has(name) === isOptional);
  return { required: Object.fromEntries(pick(false)), optional: Object.fromEntries(pick(true)) };
}

const appFolder = path.resolve(app);
const { name, version, description, license, engines } = readManifest(appFolder);
const { required, optional } = npmDependencies(appFolder);
const manifest = {
  name,
  version,
  description,
  license,
  engines,
  bin: { [name.slice('@weir/'.length)]: 'dist/main.js' },
  files: ['dist', '!**/*.map'],
  dependencies: required,
  peerDependencies: optional,
  peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map((name) => [name, { optional: true }])),
};

mkdirSync(target, { recursive: true });
const draft = mkdtempSync(path.join(tmpdir(), 'weir-pack-'));
try {
  cpSync(path.join(appFolder, 'dist'), path.join(draft, 'dist'), { recursive: true });
  cpSync(path.join(appFolder, 'README.md'), path.join(draft, 'README.md'));
  cpSync(path.join(root, 'LICENSE'), path.join(draft, 'LICENSE'));
  writeFileSync(path.join(draft, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['pack', '--json', '--pack-destination', path.resolve(target)];
  const { status, stdout, stderr } = spawnSync(npm, args, { cwd: draft, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack ended with ${status}:\n${stderr}`);
  process.stdout.write(`${path.join(path.resolve(target), JSON.parse(stdout)[0].filename)}\n`);
} finally {
  rmSync(draft, { recursive: true, force: true });
}
