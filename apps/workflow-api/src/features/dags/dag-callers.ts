import path from 'node:path';
import type { DagEntry } from './dag-entry';

const extension = /\.ya?ml$/;

/** Finds the DAGs whose specs name this one, by name or by path, with the steps that do. */
export function findCallers(
  entries: readonly Pick<DagEntry, 'fileName' | 'dag' | 'calls'>[],
  fileName: string,
  dagsFolder: string,
) {
  return entries.flatMap(({ fileName: caller, dag, calls }) => {
    const steps = calls.filter((call) => namesFile(call.dag, fileName, dagsFolder)).map(({ step }) => step);
    if (steps.length === 0) return [];
    const { name, workspace } = dag;
    return [{ fileName: caller, name, ...(workspace === undefined ? {} : { workspace }), steps: [...new Set(steps)] }];
  });
}

function namesFile(call: string, fileName: string, dagsFolder: string): boolean {
  if (!call.includes('/') && !extension.test(call)) return call === fileName;
  return path.resolve(dagsFolder, call).replace(extension, '') === path.join(dagsFolder, fileName);
}
