import path from 'node:path';
import type { Enclosure } from '../isolation/step-isolation';
import type { DagRun } from '../run-model/dag-run';
import type { OpenRun } from './run-context';

/** Its processes see the files of the run, and those of the runs that started it. */
export async function encloseRun({ ports, run }: Pick<OpenRun, 'ports' | 'run'>): Promise<Enclosure | undefined> {
  if (ports.isolation === undefined) return undefined;
  const folders = listFolders(run);
  for (let id = run.parentId; id !== null;) {
    const parent = await ports.runs.findById(id);
    if (parent !== undefined) folders.push(...listFolders(parent));
    id = parent?.parentId ?? null;
  }
  return ports.isolation.enclose({ id: run.id, folders });
}

function listFolders({ logFile, workDir, artifactsDir }: DagRun): string[] {
  return [path.dirname(logFile), workDir, ...(artifactsDir === null ? [] : [artifactsDir])];
}
