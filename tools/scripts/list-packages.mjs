// `list-packages.mjs <app>` prints the npm packages that a built app consists of, as JSON: those inside its bundles, those
// whose files its package carries, and those that npm installs beside it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { licenceOf } from './bundled-packages.mjs';
import { findPackage, traceModules } from './trace-modules.mjs';

const [app] = process.argv.slice(2);
if (!app) throw new Error('usage: list-packages.mjs <app folder>');

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const appFolder = path.resolve(app);
const { files, installed, optional } = await traceModules(appFolder);
const carried = files
  .filter(([, place]) => path.basename(place) === 'package.json')
  .map(([source]) => readJson(source))
  // Manifests of single folders in a package have no version.
  .filter(({ name, version }) => name && version);
const beside = (packages, isOptional) =>
  Object.keys(packages).map((name) => ({ ...readJson(findPackage(appFolder, name)), isOptional }));
const all = [
  ...readJson(path.join(appFolder, 'dist', 'packages.json')),
  ...carried,
  ...beside(installed, false),
  ...beside(optional, true),
];
const described = all.map(({ name, version, isOptional = false, ...manifest }) => {
  return { name, version, license: licenceOf(manifest), isOptional };
});
const unique = new Map(described.map((each) => [`${each.name}@${each.version}`, each]));
const sorted = [...unique].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each);
process.stdout.write(`${JSON.stringify(sorted)}\n`);
