import type { DagGridItem } from '@weir/workflow-contract/schemas';
import { nodeStatus } from '@weir/workflow-engine/model';
import type { Dag, HandlerKind, Step } from '@weir/workflow-spec';
import { visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import type { DagRunRepository, DagRunService, RunWithSteps } from '../runs';

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

export interface DagHistoryQuery {
  readonly dagName: string;
  readonly limit: number;
}

/** Reads the last visible runs of a DAG, newest first. */
export async function readDagHistory(
  { runs, dagRuns }: DagHistoryDependencies,
  { dagName, limit }: DagHistoryQuery,
  principal: Principal,
): Promise<readonly RunWithSteps[]> {
  const workspaces = visibleWorkspaces(principal, { kind: 'all' });
  const found = await runs.scan({ dagName, workspaces, limit });
  return Promise.all(found.map(({ dagRunId }) => dagRuns.details({ name: dagName, dagRunId }, principal)));
}

/** Creates a row for each step, then for each handler that was executed; the histories are in the order of the runs. */
export function toGrid({ steps }: Pick<Dag, 'steps'>, history: readonly Pick<RunWithSteps, 'nodes'>[]): DagGridItem[] {
  const present = inDependencyOrder(steps);
  const ofEarlierSpecs = history.flatMap(({ nodes }) =>
    nodes.filter(({ scope }) => scope === '').map(({ name }) => name),
  );
  const indexed = history.map(({ nodes }) => new Map(nodes.map((node) => [keyOf(node), node.status])));
  const toRow = (label: string, key: string): DagGridItem => ({
    name: label,
    history: indexed.map((run) => nodeStatus.toNumber(run.get(key) ?? 'not_started')),
  });
  const stepRows = [...new Set([...present, ...ofEarlierSpecs])].map((name) => toRow(name, keyOf({ scope: '', name })));
  const handlerRows = Object.entries(handlerNames).flatMap(([kind, name]) => {
    const key = keyOf({ scope: `on/${kind}`, name: '' });
    return indexed.some((run) => run.has(key)) ? [toRow(name, key)] : [];
  });
  return [...stepRows, ...handlerRows];
}

/** A handler has a scope of its own, so that its name does not matter. */
function keyOf({ scope, name }: Pick<RunWithSteps['nodes'][number], 'scope' | 'name'>): string {
  return scope.startsWith('on/') ? scope : `${scope}\n${name}`;
}

/** A set keeps the order of insertion, so each step comes after its dependencies. */
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
