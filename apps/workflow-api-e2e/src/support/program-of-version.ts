import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { program } from './weir-server';

const built = path.dirname(program);
const packageFile = path.join(built, '../package.json');
/** A new folder for copies, from where they find the packages that the built program loads. */
export function createProgramsFolder(): string {
  const modules = path.join(built, '../node_modules');
  mkdirSync(modules, { recursive: true });
  return mkdtempSync(path.join(modules, '.versions-'));
}

/**
 * A copy of the built program that says it is of another version, and brings one migration more for each of these names.
 * Returns its main file.
 */
export function copyProgram(folder: string, version: string, migrations: readonly string[]): string {
  const copy = path.join(folder, `weir-${version}`, 'dist');
  cpSync(built, copy, { recursive: true });
  cpSync(packageFile, path.join(copy, '../package.json'));
  const file = path.join(copy, 'program.js');
  const text = readFileSync(file, 'utf8');
  const own = JSON.stringify((JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version);
  if (!text.includes(own)) throw new Error(`The built program does not contain its version, ${own}.`);
  writeFileSync(file, text.replaceAll(own, JSON.stringify(version)));
  for (const name of migrations) {
    const target = path.join(copy, 'migrations/postgresql', name);
    mkdirSync(target);
    writeFileSync(path.join(target, 'migration.sql'), `CREATE TABLE "${name}" ("id" TEXT PRIMARY KEY);`);
  }
  return path.join(copy, 'main.js');
}
