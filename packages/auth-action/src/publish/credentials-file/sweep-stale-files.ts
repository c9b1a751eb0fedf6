import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { parseJsonObject } from '../../runner/json-object';
import { credentialsFileName } from '../../runner/state';
import { readBoundedFile, smallFileBytes } from '../../runner/read-bounded-file';

/**
 * Removes the credentials files that killed jobs left in a folder of the workspace, and returns their names. The runner
 * writes the event payload when it starts a job, so an older file belongs to an earlier one. Folders outside the
 * workspace may be shared with jobs that still run. Never throws.
 */
export function sweepStaleFiles(
  folder: string,
  env: ActionsRuntime['env'],
  remove: (file: string) => void = unlinkSync,
): readonly string[] {
  const { GITHUB_WORKSPACE: workspace, GITHUB_EVENT_PATH: event } = env;
  if (!workspace || !event || path.relative(workspace, folder).startsWith('..')) return [];
  const jobStart = changeTime(event);
  if (jobStart === undefined) return [];
  return readdirSync(folder).filter(
    (name) => credentialsFileName.test(name) && sweep({ file: path.join(folder, name), jobStart, remove }),
  );
}

interface Candidate {
  readonly file: string;
  readonly jobStart: number;
  readonly remove: (file: string) => void;
}

function sweep({ file, jobStart, remove }: Candidate): boolean {
  const changedAt = changeTime(file);
  if (changedAt === undefined || changedAt >= jobStart || !isCredentialsFile(file)) return false;
  try {
    remove(file);
    return true;
  } catch {
    // The file belongs to another user, who can remove it.
    return false;
  }
}

/** In milliseconds; `undefined` unless it is a regular file. */
function changeTime(file: string): number | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.mtimeMs : undefined;
}

function isCredentialsFile(file: string): boolean {
  try {
    const type = parseJsonObject(readBoundedFile(file, smallFileBytes))?.type;
    return type === 'external_account' || type === 'service_account';
  } catch {
    return false;
  }
}
