import path from 'node:path';
import type { Clock } from '@weir/workflow-engine/model';
import { isFileTrigger, type Dag } from '@weir/workflow-spec';
import type { TriggerFile } from '@weir/workflow-contract/schemas';
import { isObjectGlob } from '@weir/workflow-spec/text';
import type { DagRunRepository } from '../runs';
import type { ArrivedObjects, StoreDag } from './arrived-objects';
import { listFiles, placeOf, type ArrivedFile } from './arrived-files';

export interface FileExplainDependencies {
  readonly runs: Pick<DagRunRepository, 'acceptedFiles'>;
  readonly objects: ArrivedObjects;
  /** The folder that relative globs start at. */
  readonly dagsFolder: string;
  readonly clock: Clock;
}

const shownFiles = 20;
const deadlineMs = 5_000;

/** Tells of the newest files that match triggers of a DAG, as this machine sees them, whether they have started a run. */
export async function explainFiles(
  { runs, objects, dagsFolder, clock }: FileExplainDependencies,
  dag: StoreDag & Pick<Dag, 'triggers'>,
): Promise<readonly TriggerFile[]> {
  const signal = AbortSignal.timeout(deadlineMs);
  const found: { readonly file: ArrivedFile; readonly quietSec: number }[] = [];
  for (const trigger of dag.triggers?.filter(isFileTrigger) ?? []) {
    const { files, quietSec } = trigger;
    const listed = isObjectGlob(files)
      ? await objects.listNewest(dag, trigger, signal)
      : await listFiles(path.resolve(dagsFolder, files), signal).then(
          (all) => all.files.slice(-shownFiles),
          () => [],
        );
    found.push(...listed.map((file) => ({ file, quietSec })));
  }
  const newest = found.toSorted((left, right) => right.file.changedAtMs - left.file.changedAtMs).slice(0, shownFiles);
  const accepted = await runs.acceptedFiles.list(
    dag.name,
    newest.map(({ file }) => placeOf(file.path)),
  );
  const now = clock.now().getTime();
  return newest.map(({ file, quietSec }) => {
    const shown = { path: file.path, changedAt: new Date(file.changedAtMs).toISOString() };
    const same = accepted.find((row) => row.path === file.path && row.mark === file.mark);
    if (same !== undefined) {
      return { ...shown, state: 'started', dagRunId: same.dagRunId, message: 'The file has started this run.' };
    }
    if ((file.object?.quietMs ?? now - file.changedAtMs) < quietSec * 1000) {
      return { ...shown, state: 'changing', message: `The file has not been quiet for ${quietSec} s (quiet).` };
    }
    const message =
      'The file waits for a scan that sees it unchanged, or its run was refused, as the log of the server says.';
    return { ...shown, state: 'waiting', message };
  });
}
