import type { Dag } from '@weir/workflow-spec';
import type { RunContext } from '../context/run-context';
import type { DagRun } from '../../model/run-model/dag-run';
import type { RunValues } from '../../values/run-values/run-values';
import { dagInOtherWorkspace, mayCall } from './call-rule';
import type { RunSource } from '../../model/run-model/create-run';

/**
 * The DAG that a step calls: one of the same text, else one of the DAGs folder or a path. Throws when it cannot be run
 * and when this run may not call it.
 */
export async function findChildSource(
  { ports, localDags, run, root }: RunContext,
  { isFolderKnown, folder }: RunValues,
  name: string,
): Promise<RunSource> {
  const local = localDags.find((dag) => dag.name === name);
  const source =
    local === undefined
      ? await ports.children.findDag(name, isFolderKnown ? folder : ports.dagsDir)
      : toLocalSource(local, run);
  if (!mayCall([run, root], source.dag)) throw dagInOtherWorkspace(name);
  return source;
}

/** A DAG that names no workspace is in that of the run. */
export function toLocalSource(
  dag: Dag,
  {
    specText,
    baseTexts,
    fileName,
    workspace: ofRun,
  }: Pick<DagRun, 'specText' | 'baseTexts' | 'fileName' | 'workspace'>,
): RunSource {
  const workspace = dag.workspace ?? ofRun;
  const inWorkspace = workspace === null ? dag : { ...dag, workspace };
  return { dag: inWorkspace, specText, baseTexts, fileName: fileName ?? dag.name };
}
