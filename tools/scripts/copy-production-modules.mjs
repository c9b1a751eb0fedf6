// Copies the npm packages that an app needs when it runs, and no others: `copy-production-modules.mjs <app> <target>`.
// `npm ci --omit=dev` keeps optional peers that other workspaces asked for, here compilers and a second database,
// which are four fifths of the result.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const [app, target] = process.argv.slice(2);
if (!app || !target) throw new Error('usage: copy-production-modules.mjs <app folder> <target folder>');

const readManifest = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** The folder that Node would load a package from, seen from `folder`, never above the checkout. */
function findPackage(folder, name) {
  for (let place = folder; ; place = path.dirname(place)) {
    const candidate = path.join(place, 'node_modules', name);
    if (existsSync(path.join(candidate, 'package.json'))) return candidate;
    if (place === root) return undefined;
  }
}

/** Names that must be there, and names that may be missing on this platform. */
function listDependencies({
  dependencies = {},
  optionalDependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}) {
  const optional = new Set(Object.keys(optionalDependencies));
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  const required = [...Object.keys(dependencies), ...peers].filter((name) => !optional.has(name));
  return [...required.map((name) => [name, true]), ...[...optional].map((name) => [name, false])];
}

const collected = new Set();
const ownPackages = new Set();

function collect(folder) {
  for (const [name, isRequired] of listDependencies(readManifest(folder))) {
    if (name.startsWith('@weir/')) {
      const own = path.join(root, 'packages', name.slice('@weir/'.length));
      if (!ownPackages.has(own)) {
        ownPackages.add(own);
        collect(own);
      }
      continue;
    }
    const found = findPackage(folder, name);
    if (!found && isRequired) throw new Error(`${path.relative(root, folder)} needs ${name}, which is not installed`);
    if (!found || collected.has(found)) continue;
    collected.add(found);
    collect(found);
  }
}

// Declarations and maps serve no running server, and of the database client's compilers two of five are ours.
const unneeded = /\.d\.[cm]?ts$|\.map$|query_compiler_\w+\.(mysql|sqlserver|cockroachdb)\./;

function copy(folder, place) {
  const isWanted = (source) => {
    const parts = path.relative(folder, source).split(path.sep);
    return !parts.includes('node_modules') && !unneeded.test(parts.at(-1));
  };
  cpSync(folder, path.join(target, place), { recursive: true, filter: isWanted });
}

const appFolder = path.resolve(app);
collect(appFolder);
for (const folder of collected) {
  const place = path.relative(root, folder);
  const placeInApp = path.relative(appFolder, folder);
  if (place.startsWith('node_modules')) copy(folder, place);
  // npm installs a package in the app when the root has another version; the bundle finds it there.
  else if (placeInApp.startsWith('node_modules')) copy(folder, path.join('dist', placeInApp));
  // Else it belongs to one of our packages, and is in the bundle with it.
}
