import { join, posix } from 'node:path';
import { actionFailed } from '../../model/steps/action-errors';
import { findStats } from '../files/file-info';
import { matchesWildcards } from '../../values/text/wildcards';
import { stripFolders, tooLarge, type ArchiveEntry } from './archive';

interface PathChoice {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Whether a path is chosen, also by a folder above it. */
export function isChosen(path: string, { include, exclude = [] }: PathChoice): boolean {
  const names = path.split('/');
  const paths = names.map((_, index) => names.slice(0, index + 1).join('/'));
  const matches = (pattern: string): boolean => paths.some((each) => matchesWildcards(each, pattern));
  return (include === undefined || include.some(matches)) && !exclude.some(matches);
}

export interface UnpackPlan extends PathChoice {
  readonly strip: number;
  readonly isOverwriting: boolean;
  readonly maxBytes: number;
}

export interface PlannedEntry extends ArchiveEntry {
  /** Relative to the destination. */
  readonly place: string;
}

/** Lists the entries to unpack. Throws for every forbidden entry, so that a refused archive leaves nothing behind. */
export async function planUnpacking(
  entries: readonly ArchiveEntry[],
  folder: string,
  plan: UnpackPlan,
): Promise<readonly PlannedEntry[]> {
  const planned: PlannedEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    checkPlace(entry);
    const place = isChosen(entry.path, plan) ? stripFolders(entry.path, plan.strip) : undefined;
    if (place === undefined) continue;
    bytes += entry.size;
    if (bytes > plan.maxBytes) throw tooLarge(plan.maxBytes);
    if (!plan.isOverwriting && entry.kind !== 'folder' && (await findStats(join(folder, place), false))) {
      throw actionFailed(`destination already contains ${JSON.stringify(place)}.`);
    }
    planned.push({ ...entry, place });
  }
  return planned;
}

function checkPlace({ path, kind, target }: ArchiveEntry): void {
  if (kind === 'other') throw actionFailed('The archive contains something that is no file, folder or link.');
  const reached = kind === 'link' ? posix.join(posix.dirname(path), target ?? '') : target;
  const isSafe = isInside(path) && (target === undefined || target === '' || isInside(target, reached));
  if (!isSafe) throw actionFailed('The archive contains a path that leads out of the destination.');
}

function isInside(path: string, reached = path): boolean {
  if (/^[/\\]|^[A-Za-z]:|[\\\0]/.test(path)) return false;
  const normal = posix.normalize(reached);
  return normal !== '..' && !normal.startsWith('../');
}
