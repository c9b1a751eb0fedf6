// A cheap answer to "did anything change": paths, sizes and times, no contents.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { inWorkspace } from './workspace.mjs';

const skippedFolders = new Set(['node_modules', 'dist', 'out-tsc', 'generated', '.composed', '__fixtures__']);
const isIrrelevant = (name) => /\.(spec|contract|type-spec)\.ts$|\.md$|\.db$/.test(name);

function* filesIn(place) {
  const stats = statSync(place, { throwIfNoEntry: false });
  if (!stats) return;
  if (stats.isFile()) {
    yield [place, stats];
    return;
  }
  for (const entry of readdirSync(place).sort()) {
    if (!skippedFolders.has(entry) && !isIrrelevant(entry)) yield* filesIn(path.join(place, entry));
  }
}

/** A digest over the files and folders named, relative to the root of the checkout. */
export function fingerprint(places, salt) {
  const hash = createHash('sha256').update(salt);
  for (const place of places) {
    for (const [file, stats] of filesIn(inWorkspace(place))) hash.update(`${file}\0${stats.size}\0${stats.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

export function readIfPresent(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
