// Lists the npm packages inside the files of a built app: `packages.json` has their name, version and licence, and
// `LICENSES.txt` has the texts that must be distributed with them.
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const marker = 'node_modules/';
const licenceFile = /^(licen[cs]e|copying)/i;

/** `files` went into the bundles of the folder `output`. A built interface in it has a separate list from Vite. */
export function writeBundledPackages(output, files) {
  const folders = new Set(files.filter((file) => file.includes(marker)).map(findPackageOf));
  const packages = new Map();
  for (const each of [...[...folders].map(describePackage), ...takeListOfInterface(output)]) {
    packages.set(`${each.name}@${each.version}`, each);
  }
  const sorted = [...packages].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each);
  const listed = sorted.map(({ name, version, license }) => ({ name, version, license }));
  writeFileSync(path.join(output, 'packages.json'), `${JSON.stringify(listed, undefined, 2)}\n`);
  const texts = sorted.map(({ name, version, license, text }) => `${name} ${version}, ${license}\n\n${text}`.trim());
  writeFileSync(path.join(output, 'LICENSES.txt'), `${texts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`);
}

/** The licence that a manifest names, of which old ones have a list. */
export function licenceOf({ license, licenses }) {
  return license?.type ?? license ?? licenses?.[0]?.type ?? 'unknown';
}

function describePackage(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => licenceFile.test(each));
  const text = file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8').trim();
  return { name: manifest.name, version: manifest.version, license: licenceOf(manifest), text };
}

/** It is not served: only its entries are needed. */
function takeListOfInterface(output) {
  const folder = path.join(output, 'ui', '.vite');
  const file = path.join(folder, 'licenses.json');
  if (!existsSync(file)) return [];
  const packages = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  return packages.map(({ name, version, identifier, text = '' }) => {
    return { name, version, license: identifier ?? 'unknown', text: text.trim() };
  });
}

/** The folder of the npm package that a file belongs to: files of packages may have manifests without a name. */
function findPackageOf(file) {
  const start = file.lastIndexOf(marker) + marker.length;
  const names = file.slice(start).split('/');
  return path.join(file.slice(0, start), ...names.slice(0, names[0].startsWith('@') ? 2 : 1));
}
