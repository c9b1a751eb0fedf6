// Finds the files of npm packages that a built app loads, by following its imports: about a tenth of what npm installs
// for it.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { nodeFileTrace } from '@vercel/nft';

const root = path.resolve(import.meta.dirname, '../..');
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const marker = 'node_modules/';

/** The package of a file, by the last folder of packages in its path. */
function packageOf(file) {
  const start = file.lastIndexOf(marker) + marker.length;
  const names = file.slice(start).split('/');
  return names.slice(0, names[0].startsWith('@') ? 2 : 1).join('/');
}

/**
 * `installed`, `optional` and `separate` have the versions of the packages that `bundle.json` leaves to npm: those with a
 * part for each platform, those that an installation can do without, and those that images do without, too. `files` has the files of all others, from where they are
 * to where they belong.
 */
export async function traceModules(app) {
  const { installed = [], optional = [], separate = [], assets = [] } = readJson(path.join(app, 'bundle.json'));
  const dist = path.join(app, 'dist');
  const programs = readdirSync(dist).filter((name) => name.endsWith('.js'));
  const { fileList } = await nodeFileTrace(
    programs.map((name) => path.join(dist, name)),
    {
      base: root,
      conditions: ['node', 'require', 'default'],
      // What an installation has compiled here, another would not have: every program runs without it.
      ignore: (file) =>
        file.includes('/build/Release/') ||
        [...installed, ...optional, ...separate].some((name) => file.includes(`${marker}${name}/`)),
    },
  );
  const files = new Map();
  for (const file of [...fileList, ...assets.map((asset) => `${marker}${asset}`)]) {
    const place = file.indexOf(marker);
    if (place === -1 || statSync(path.join(root, file)).isDirectory()) continue;
    const target = file.slice(place);
    const other = files.get(target);
    if (other !== undefined && other !== file) throw new Error(`${other} and ${file} are needed at the same place`);
    files.set(target, file);
  }
  addLicences(files);
  return {
    files: [...files].map(([target, file]) => [path.join(root, file), target]),
    installed: versionsOf(app, installed),
    optional: versionsOf(app, optional),
    separate: versionsOf(app, separate),
  };
}

/** The texts that have to go with what is copied. */
function addLicences(files) {
  for (const [target, file] of [...files]) {
    if (path.basename(target) !== 'package.json') continue;
    for (const name of readdirSync(path.join(root, path.dirname(file)))) {
      if (!/^(licen[cs]e|notice|copying)/i.test(name)) continue;
      files.set(path.join(path.dirname(target), name), path.join(path.dirname(file), name));
    }
  }
}

/** Returns the versions of the packages as the app resolves them. */
function versionsOf(app, names) {
  return Object.fromEntries(names.map((name) => [name, readJson(findPackage(app, name)).version]));
}

/** The manifest of a package as the app sees it. */
export function findPackage(app, name) {
  return [app, root]
    .map((folder) => path.join(folder, 'node_modules', name, 'package.json'))
    .find((manifest) => existsSync(manifest));
}

/** The names of the packages that lie in the top folder. */
export function topPackages(files) {
  const targets = files.map(([, target]) => target).filter((target) => target.lastIndexOf(marker) === 0);
  return [...new Set(targets.map(packageOf))].sort();
}
