import { chmod, mkdir } from 'node:fs/promises';
import { isSystemError } from '@weir/foundation';
import { confinedPath, type ConfinedPath } from './confined-path';
import type { DagRun } from '../../model/run-model/dag-run';

const reasons = ['EACCES', 'EEXIST', 'ENOTDIR', 'ENOSPC', 'EROFS', 'ENAMETOOLONG'] as const;

/** Makes the folder of the artifacts of a run, for its owner only. Returns why the run cannot start, if so. */
export async function makeArtifactsFolder({ artifactsDir }: Pick<DagRun, 'artifactsDir'>): Promise<string | undefined> {
  if (artifactsDir === null) return undefined;
  try {
    await mkdir(artifactsDir, { recursive: true, mode: 0o700 });
    // Also when it was there, made by another setting of this installation.
    await chmod(artifactsDir, 0o700);
    return undefined;
  } catch (error) {
    const reason = reasons.find((code) => isSystemError(error, code));
    if (reason === undefined) throw error;
    return `the folder of its artifacts cannot be made (${reason})`;
  }
}

/** The file of a stream that a step writes as an artifact. */
export function resolveArtifact(artifactsDir: string | undefined, name: string): Promise<ConfinedPath> {
  if (artifactsDir === undefined) {
    return Promise.resolve({ problem: 'needs "artifacts: { enabled: true }" of the DAG' });
  }
  return confinedPath(artifactsDir, name, { makesFolders: true });
}
