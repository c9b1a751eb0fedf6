import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import type { DagRunStep } from '@weir/workflow-engine/model';
import type { RunFiles } from '../../run-files';
import { visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { presentRuns, type DagRunRepository } from '../runs';
import { readLastLine } from '../logs/last-line';

export interface FailuresQuery extends WorkspaceQuery {
  readonly limit: number;
}

export interface FailuresDependencies {
  readonly runs: Pick<DagRunRepository, 'scan' | 'listFailedSteps'>;
  readonly runFiles: Pick<RunFiles, 'view'>;
}

/**
 * Lists the last failed runs, each with the step that failed last. Executes two statements, and reads the ends of at
 * most two logs per run.
 */
export async function listFailures(
  { runs, runFiles }: FailuresDependencies,
  query: FailuresQuery,
  principal: Principal,
) {
  const workspaces = visibleWorkspaces(principal, workspaceSelection(query));
  const failed = await runs.scan({ statuses: ['failed'], workspaces, limit: query.limit });
  const [steps, presented] = await Promise.all([
    runs.listFailedSteps(failed.map(({ id }) => id)),
    presentRuns(runFiles, failed),
  ]);
  const failures = failed.map(async ({ id }, index) => {
    const run = presented[index];
    const step = steps.get(id)?.at(-1);
    if (run === undefined) return [];
    return [step === undefined ? { run } : { run, step: await presentFailedStep(runFiles, step) }];
  });
  return { failures: (await Promise.all(failures)).flat() };
}

async function presentFailedStep(
  runFiles: FailuresDependencies['runFiles'],
  { name, error, exitCode, stdoutFile, stderrFile }: DagRunStep,
) {
  const lastLine = (await readLastLine(runFiles, stderrFile)) ?? (await readLastLine(runFiles, stdoutFile));
  return {
    name,
    ...(error === null ? {} : { error }),
    ...(exitCode === null ? {} : { exitCode }),
    ...(lastLine === undefined ? {} : { lastLine }),
  };
}
