// The npm package of a built app: `pack-app.mjs <app> <folder>` writes it into that folder and prints its file. What is
// in the bundle is no dependency any more; what stays outside is one, in the version that the repository tests.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const [app, target] = process.argv.slice(2);
if (!app || !target) throw new Error('usage: pack-app.mjs <app folder> <target folder>');

const readManifest = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** Those of the app and of our packages in its bundle. */
function npmDependencies(folder, found = new Map(), seen = new Set()) {
  for (const [name, version] of Object.entries(readManifest(folder).dependencies ?? {})) {
    if (name.startsWith('@weir/')) {
      if (seen.has(name)) continue;
      seen.add(name);
      npmDependencies(path.join(root, 'packages', name.slice('@weir/'.length)), found, seen);
    } else if ((found.get(name) ?? version) !== version) {
      throw new Error(`${name} is needed in two versions: ${found.get(name)} and ${version}`);
    } else found.set(name, version);
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const appFolder = path.resolve(app);
const { name, version, description, license, engines } = readManifest(appFolder);
const manifest = {
  name,
  version,
  description,
  license,
  engines,
  bin: { [name.slice('@weir/'.length)]: 'dist/main.js' },
  files: ['dist', '!**/*.map'],
  dependencies: Object.fromEntries(npmDependencies(appFolder)),
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
