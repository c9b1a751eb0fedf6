import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';

/** Without indentation and comments, a fifth that all would install and V8 would hold. Short lines keep traces useful. */
const smaller = { minifyWhitespace: true, lineLimit: 120, charset: 'ascii', legalComments: 'none' };

/** Copies a file that is delivered, a script without what only people read; licences are files of their own. */
export function copySmaller(source, target) {
  cpSync(source, target);
  if (/\.[cm]?js$/.test(source)) writeFileSync(target, transformSync(readFileSync(source, 'utf8'), smaller).code);
}

/** Copies the built program of an app, without source maps. */
export function copyProgram(appFolder, target) {
  const built = path.join(appFolder, 'dist');
  cpSync(built, target, { recursive: true, filter: (source) => !source.endsWith('.map') });
  for (const name of readdirSync(target).filter((each) => each.endsWith('.js'))) {
    copySmaller(path.join(built, name), path.join(target, name));
  }
}
