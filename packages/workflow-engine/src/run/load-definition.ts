import { formatFinding, type Dag } from '@weir/workflow-spec';
import { unsupportedParts } from '../model/plan/unsupported-parts';
import { isSpecTooCostly } from '../model/ports/spec-parser';
import type { DagRunStep } from '../model/run-model/dag-run';
import type { OpenRun } from './context/run-context';

export type Definition =
  | { readonly dag: Dag; readonly localDags: readonly Dag[]; readonly problem?: undefined }
  | { readonly dag?: undefined; readonly localDags?: undefined; readonly problem: string };

const shownParts = 10;

/** Parses the text that is stored with a run. */
export async function loadDefinition({ ports, run, steps }: OpenRun): Promise<Definition> {
  try {
    const { dag, localDags, findings } = await ports.parser.parse(run);
    const [first] = findings.filter(({ severity }) => severity === 'error').map(formatFinding);
    if (first !== undefined) return { problem: first };
    if (!hasSameSteps(dag, steps)) return { problem: 'its steps are not those of the run' };
    const unsupported = unsupportedParts(dag);
    if (unsupported.length > 0)
      return { problem: `this version cannot execute it yet: ${unsupported.slice(0, shownParts).join('; ')}` };
    // A local DAG is in the workspace of the run that called it.
    return { dag: run.workspace === null ? dag : { ...dag, workspace: run.workspace }, localDags };
  } catch (error) {
    if (!isSpecTooCostly(error)) throw error;
    return { problem: error.message };
  }
}

function hasSameSteps(dag: Dag, stored: readonly DagRunStep[]): boolean {
  const steps = stored.filter(({ scope }) => scope === '');
  return dag.steps.length === steps.length && dag.steps.every(({ name }, index) => steps[index]?.name === name);
}
