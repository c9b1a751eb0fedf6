import type { DagGridItem } from '@weir/workflow-contract';
import { nodeStatus } from '@weir/workflow-engine';
import type { Dag, HandlerKind, Step } from '@weir/workflow-spec';
import { visibleWorkspaces, type Principal } from '../auth';
import type { DagRunRepository, DagRunService, RunWithSteps } from '../dag-runs';

const shownRuns = 30;
const handlerNames = {
  init: 'onInit',
  wait: 'onWait',
  success: 'onSuccess',
  failure: 'onFailure',
  abort: 'onAbort',
  exit: 'onExit',
} as const satisfies Record<HandlerKind, string>;

export interface DagHistoryDependencies {
  readonly runs: Pick<DagRunRepository, 'scan'>;
  readonly dagRuns: Pick<DagRunService, 'details'>;
}

/** The last 30 visible runs of a DAG, newest first. */
export async function readDagHistory(
  { runs, dagRuns }: DagHistoryDependencies,
  dagName: string,
  principal: Principal,
): Promise<readonly RunWithSteps[]> {
  const workspaces = visibleWorkspaces(principal, { kind: 'all' });
  const found = await runs.scan({ dagName, workspaces, limit: shownRuns });
  return Promise.all(found.map(({ dagRunId }) => dagRuns.details({ name: dagName, dagRunId }, principal)));
}

/** A row for each step, then for each handler that was executed; the histories are in the order of the runs. */
export function toGrid({ steps }: Pick<Dag, 'steps'>, history: readonly Pick<RunWithSteps, 'nodes'>[]): DagGridItem[] {
  const present = inDependencyOrder(steps);
  const ofEarlierSpecs = history.flatMap(({ nodes }) =>
    nodes.filter(({ scope }) => scope === '').map(({ name }) => name),
  );
  const stepRows = [...new Set([...present, ...ofEarlierSpecs])].map((name) => ({
    name,
    history: statuses(history, (node) => node.scope === '' && node.name === name),
  }));
  const handlerRows = Object.entries(handlerNames).flatMap(([kind, name]) => {
    const isHandler = ({ scope }: { readonly scope: string }): boolean => scope === `on/${kind}`;
    const isExecuted = history.some(({ nodes }) => nodes.some(isHandler));
    return isExecuted ? [{ name, history: statuses(history, isHandler) }] : [];
  });
  return [...stepRows, ...handlerRows];
}

function statuses(
  history: readonly Pick<RunWithSteps, 'nodes'>[],
  matches: (node: RunWithSteps['nodes'][number]) => boolean,
): DagGridItem['history'] {
  return history.map(({ nodes }) => nodeStatus.toNumber(nodes.find(matches)?.status ?? 'not_started'));
}

/** A set keeps the order of insertion: each step comes after those that it depends on. */
function inDependencyOrder(steps: readonly Step[]): readonly string[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const ordered = new Set<string>();
  const pending = [...steps].reverse();
  const entered = new Set<string>();
  for (let step = pending.at(-1); step !== undefined; step = pending.at(-1)) {
    const missing = step.depends.flatMap((name) => (entered.has(name) ? [] : (byName.get(name) ?? [])));
    if (entered.has(step.name) || missing.length === 0) {
      ordered.add(step.name);
      pending.pop();
    } else pending.push(...missing.toReversed());
    entered.add(step.name);
  }
  return [...ordered];
}
