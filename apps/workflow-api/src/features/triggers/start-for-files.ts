import { isAppError } from '@weir/foundation';
import type { Clock } from '@weir/workflow-engine/model';
import type { Logger } from '@weir/service-kit';
import { unaudited } from '../../access/audited-operation';
import type { DagRunRepository, StartRun } from '../runs';
import { readSource, type DagSourceDependencies } from '../scheduler';
import { keyOf, placeOf, readFileMark, type ArrivedFile } from './arrived-files';

export interface FileStartDependencies extends DagSourceDependencies {
  readonly acceptedFiles: DagRunRepository['acceptedFiles'];
  readonly startRun: StartRun;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type FileOutcome = 'accepted' | 'changed' | 'refused';

/** What the paths of a batch may take of a variable, which Linux limits to 128 KiB. */
const maxPathBytes = 100_000;

/** Starts one run for these files, except those whose content was accepted before. Returns the outcome of each. */
export async function startForFiles(
  dependencies: FileStartDependencies,
  dag: { readonly fileName: string; readonly name: string },
  { files, signal }: { readonly files: readonly ArrivedFile[]; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, FileOutcome>> {
  const { acceptedFiles, startRun, clock, logger } = dependencies;
  const outcomes = new Map<string, FileOutcome>();
  const known = await acceptedFiles.list(
    dag.name,
    files.map((file) => placeOf(file.path)),
  );
  const fresh: { readonly file: ArrivedFile; readonly key: string }[] = [];
  let bytes = 0;
  for (const file of files) {
    const key = file.object?.key ?? (await readKey(file, signal));
    signal.throwIfAborted();
    if (key === undefined) outcomes.set(file.path, 'changed');
    else if (known.some((row) => row.key === key)) {
      await acceptedFiles.remark(dag.name, key, file.mark);
      outcomes.set(file.path, 'accepted');
    } else if ((bytes += Buffer.byteLength(JSON.stringify(file.path)) + 1) <= maxPathBytes) fresh.push({ file, key });
  }
  const [first] = fresh;
  if (first === undefined) return outcomes;
  const settle = (outcome: FileOutcome) => {
    for (const { file } of fresh) outcomes.set(file.path, outcome);
    return outcomes;
  };
  const paths = fresh.map(({ file }) => file.path);
  const acceptedAt = clock.now();
  try {
    const source = await readSource(dependencies, dag);
    if (source === undefined) return settle('refused');
    const single = paths.length === 1 ? { WEIR_TRIGGER_FILE: first.file.path } : {};
    await startRun(source, {
      params: JSON.stringify({ ...single, WEIR_TRIGGER_FILES: JSON.stringify(paths) }),
      triggerType: 'file',
      startedBy: { kind: 'file', name: first.file.path.slice(-maxActorName) },
      accepted: fresh.map(({ file, key }) => ({
        key,
        place: placeOf(file.path),
        path: file.path,
        mark: file.mark,
        acceptedAt,
        seenAt: acceptedAt,
      })),
      audit: unaudited,
    });
    return settle('accepted');
  } catch (error) {
    if (!isAppError(error) || error.code === 'unavailable' || error.code === 'internal') throw error;
    // Another server has started a run for one of them; the next scan finds which.
    if (error.reason === 'file_accepted') return outcomes;
    logger.warn({ dagName: dag.name, files: paths.length, error }, 'run for files was refused');
    return settle('refused');
  }
}

const maxActorName = 200;

/** Returns `undefined` for a file that has changed meanwhile. */
async function readKey(file: ArrivedFile, signal: AbortSignal): Promise<string | undefined> {
  const key = await keyOf(file, signal).catch(() => undefined);
  return (await readFileMark(file.path))?.mark === file.mark ? key : undefined;
}
