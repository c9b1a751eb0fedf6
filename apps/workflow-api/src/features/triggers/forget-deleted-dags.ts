import { isFileTrigger } from '@weir/workflow-spec';
import type { DagFiles } from '../dags';
import type { DagRunRepository } from '../runs';

export interface ForgetPorts {
  readonly catalog: DagFiles['catalog'];
  readonly acceptedFiles: DagRunRepository['acceptedFiles'];
}

const dagsAtOnce = 100;

/** Deletes the files of DAGs that have no triggers for files any more, and were not there since this time. */
export async function forgetDeletedDags(
  { catalog, acceptedFiles }: ForgetPorts,
  { before, signal }: { readonly before: Date; readonly signal: AbortSignal },
): Promise<void> {
  await catalog.ready(signal);
  const kept = new Set<string>();
  for (const { dag, errors } of catalog.entries.all()) {
    // A file that cannot be read may be that of any DAG.
    if (errors.length > 0) return;
    if (dag.triggers?.some(isFileTrigger)) kept.add(dag.name);
  }
  if (catalog.problems.length > 0) return;
  let names = await acceptedFiles.listDagsAfter(undefined, before, dagsAtOnce);
  while (names.length > 0) {
    for (const name of names) {
      signal.throwIfAborted();
      if (!kept.has(name)) await acceptedFiles.prune(name, before);
    }
    names = await acceptedFiles.listDagsAfter(names.at(-1), before, dagsAtOnce);
  }
}
