// The folder that an image has of a built app: `stage-app.mjs <app> <folder>` writes the program and the files of npm
// packages that it loads into that folder. Packages with a part for each platform are copied as they are installed here.
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { traceModules } from './trace-modules.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const [app, target] = process.argv.slice(2);
if (!app || !target) throw new Error('usage: stage-app.mjs <app folder> <target folder>');

const appFolder = path.resolve(app);
const { files, installed, optional } = await traceModules(appFolder);
mkdirSync(target, { recursive: true });
const isProgram = (source) => !source.endsWith('.map');
cpSync(path.join(appFolder, 'dist'), path.join(target, 'dist'), { recursive: true, filter: isProgram });
cpSync(path.join(appFolder, 'package.json'), path.join(target, 'package.json'));
for (const name of ['LICENSE', 'NOTICE']) cpSync(path.join(root, name), path.join(target, name));
for (const [source, place] of files) if (isOfThisPlatform(place)) cpSync(source, path.join(target, place));
const copied = new Set();
for (const name of Object.keys({ ...installed, ...optional })) copyInstalled(name, appFolder);

/** better-sqlite3 has its built files for all platforms inside, such as `linuxmusl-arm64.node`. */
function isOfThisPlatform(place) {
  const [, platform, arch] = /\/prebuilds\/([a-z0-9]+)-(\w+)/.exec(place) ?? [];
  return platform === undefined || (platform.startsWith(process.platform) && arch === process.arch);
}

/** With what it depends on, each where npm has installed it; parts for other platforms are not installed. */
function copyInstalled(name, folder) {
  const found = findPackage(name, folder);
  if (found === undefined || copied.has(found)) return;
  copied.add(found);
  const place = path.join(target, found.slice(found.indexOf(`${path.sep}node_modules${path.sep}`)));
  const isOwn = (source) => !path.relative(found, source).split(path.sep).includes('node_modules');
  cpSync(found, place, { recursive: true, filter: isOwn });
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(path.join(found, 'package.json'), 'utf8'));
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) copyInstalled(each, found);
}

/** As Node looks it up, never above the checkout. */
function findPackage(name, folder) {
  for (let place = folder; ; place = path.dirname(place)) {
    const candidate = path.join(place, 'node_modules', name);
    if (existsSync(path.join(candidate, 'package.json'))) return candidate;
    if (place === root) return undefined;
  }
}
