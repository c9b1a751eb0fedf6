import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import type { DagRunStep } from '@weir/workflow-engine';
import { visibleWorkspaces, type Principal } from '../auth';
import { presentRuns, readLastLine, type DagRunRepository } from '../dag-runs';

export interface FailuresQuery extends WorkspaceQuery {
  readonly limit: number;
}

/** The last failed runs with the step that failed last. Reads two statements, and the ends of two logs per run at most. */
export async function listFailures(
  runs: Pick<DagRunRepository, 'scan' | 'listFailedSteps'>,
  query: FailuresQuery,
  principal: Principal,
) {
  const workspaces = visibleWorkspaces(principal, workspaceSelection(query));
  const failed = await runs.scan({ statuses: ['failed'], workspaces, limit: query.limit });
  const [steps, presented] = await Promise.all([runs.listFailedSteps(failed.map(({ id }) => id)), presentRuns(failed)]);
  const failures = failed.map(async ({ id }, index) => {
    const run = presented[index];
    const step = steps.get(id)?.at(-1);
    if (run === undefined) return [];
    return [step === undefined ? { run } : { run, step: await presentFailedStep(step) }];
  });
  return { failures: (await Promise.all(failures)).flat() };
}

async function presentFailedStep({ name, error, exitCode, stdoutFile, stderrFile }: DagRunStep) {
  const lastLine = (await readLastLine(stderrFile)) ?? (await readLastLine(stdoutFile));
  return {
    name,
    ...(error === null ? {} : { error }),
    ...(exitCode === null ? {} : { exitCode }),
    ...(lastLine === undefined ? {} : { lastLine }),
  };
}
