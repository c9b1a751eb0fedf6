import type { FileTrigger } from '@weir/workflow-spec';
import { placeOf, type ArrivedFile, type ArrivedFiles } from './arrived-files';
import { startForFiles, type FileOutcome, type FileStartDependencies } from './start-for-files';

export interface ScannedTrigger extends FileTrigger {
  readonly seen: Map<string, SeenFile>;
  find(signal: AbortSignal): Promise<ArrivedFiles>;
}

export interface SeenFile {
  readonly mark: string;
  /** Since when it is as it is: as far as this process has seen it, or as the store says. */
  readonly sinceMs: number;
  /** Whether it has its run. */
  readonly isSettled: boolean;
  /** After a refusal. */
  readonly notBeforeMs: number;
}

export interface ScanDependencies {
  readonly starting: FileStartDependencies;
  readonly dag: { readonly fileName: string; readonly name: string };
  /** Whether the DAG was changed, removed or suspended meanwhile. */
  readonly isOver: () => boolean;
  readonly signal: AbortSignal;
}

export interface Scanned {
  /** Whether all that match were seen. */
  readonly isComplete: boolean;
  /** Whether a file is not quiet yet. */
  readonly isWaiting: boolean;
}

const startsPerScan = 100;
const refusedMs = 5 * 60_000;

/** Looks once at the files of a trigger, and starts the runs for those that are quiet. */
export async function scanTrigger(dependencies: ScanDependencies, trigger: ScannedTrigger): Promise<Scanned> {
  const { files, isComplete } = await trigger.find(dependencies.signal);
  await note(dependencies, trigger, files);
  await startQuiet(dependencies, trigger, files);
  const isWaiting = [...trigger.seen.values()].some(({ isSettled, notBeforeMs }) => !isSettled && notBeforeMs === 0);
  return { isComplete, isWaiting };
}

/** Notes which files are there, since when they are as they are, and which have had their runs. */
async function note(
  { starting: { acceptedFiles, clock }, dag }: ScanDependencies,
  { seen }: ScannedTrigger,
  files: readonly ArrivedFile[],
): Promise<void> {
  const present = new Set(files.map((file) => file.path));
  for (const file of seen.keys()) if (!present.has(file)) seen.delete(file);
  const changed = files.filter((file) => seen.get(file.path)?.mark !== file.mark);
  const accepted = await acceptedFiles.list(
    dag.name,
    changed.map((file) => placeOf(file.path)),
  );
  const marks = new Set(accepted.map(({ path: file, mark }) => `${mark} ${file}`));
  const now = clock.now().getTime();
  for (const { path: file, mark, object } of changed) {
    const sinceMs = now - (object?.quietMs ?? 0);
    seen.set(file, { mark, sinceMs, isSettled: marks.has(`${mark} ${file}`), notBeforeMs: 0 });
  }
}

async function startQuiet(
  { starting, dag, isOver, signal }: ScanDependencies,
  trigger: ScannedTrigger,
  files: readonly ArrivedFile[],
): Promise<void> {
  const { seen, quietSec, batch } = trigger;
  const now = starting.clock.now().getTime();
  const isQuiet = (file: ArrivedFile): boolean => {
    const one = seen.get(file.path);
    return one !== undefined && !one.isSettled && one.notBeforeMs <= now && now - one.sinceMs >= quietSec * 1000;
  };
  const settle = (file: string, outcome: FileOutcome): void => {
    const one = seen.get(file);
    if (one === undefined) return;
    if (outcome === 'changed') seen.delete(file);
    else if (outcome === 'accepted') seen.set(file, { ...one, isSettled: true });
    else seen.set(file, { ...one, notBeforeMs: starting.clock.now().getTime() + refusedMs });
  };
  const quiet = files.filter(isQuiet).slice(0, startsPerScan);
  const groups = batch && quiet.length > 0 ? [quiet] : quiet.map((file) => [file]);
  for (const group of groups) {
    if (signal.aborted || isOver()) return;
    const outcomes = await startForFiles(starting, dag, { files: group, signal });
    for (const [file, outcome] of outcomes) settle(file, outcome);
  }
}
