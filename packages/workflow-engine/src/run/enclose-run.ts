import path from 'node:path';
import { ownFolderOf } from '../model/run-model/log-layout';
import type { Enclosure } from '../model/ports/step-isolation';
import type { DagRun } from '../model/run-model/dag-run';
import type { OpenRun } from './context/run-context';

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

/** The working folder and the artifacts as one, since no file can be moved or linked from one mount to another. */
function listFolders(run: DagRun): string[] {
  const own = ownFolderOf(run);
  const artifacts = run.artifactsDir === null || path.dirname(run.artifactsDir) === own ? [] : [run.artifactsDir];
  return [path.dirname(run.logFile), own ?? run.workDir, ...artifacts];
}
