import { readHumanTask, roleIncludes, workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import type { OpenDecision, OpenDecisionsPageResponse } from '@weir/workflow-contract/schemas';
import { nodeStatus, type DagRunStep, type DagRunSummary } from '@weir/workflow-engine/model';
import type { Step } from '@weir/workflow-spec';
import type { DagParser } from '../../dag-parser';
import { canSee, effectiveRole, isVisible, visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import {
  defaultRewind,
  presentAction,
  readStoredDag,
  readCursor,
  writeCursor,
  type DagRunRepository,
  type RunPosition,
} from '../runs';
import { compareTexts } from '../dags';
import { listHash } from '../../http/page-cursor';
import { decidingRole } from './explain-steps';
import type { Pause } from './explanation-facts';
import { readPause } from './read-facts';

export interface OpenDecisionsDependencies {
  readonly runs: Pick<
    DagRunRepository,
    'listWithWaitingSteps' | 'listSummaries' | 'findById' | 'listSteps' | 'listChildren' | 'readOutputs' | 'readMemos'
  >;
  readonly parser: DagParser;
}

export interface OpenDecisionsQuery extends WorkspaceQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Throws `cursor_invalid` or `workspace_not_found`. */
export async function listOpenDecisions(
  dependencies: OpenDecisionsDependencies,
  query: OpenDecisionsQuery,
  principal: Principal,
): Promise<OpenDecisionsPageResponse> {
  const { limit, cursor } = query;
  const workspaces = visibleWorkspaces(principal, workspaceSelection(query));
  const hash = listHash({ openDecisions: workspaces });
  const after = cursor === undefined ? undefined : readCursor(cursor, hash).after;
  const families = await listFamilies(dependencies);
  const roots = await dependencies.runs.listSummaries([...families.keys()]);
  const found = [...roots.values()]
    .filter(({ workspace }) => isVisible(workspaces, workspace ?? undefined))
    .toSorted(newestFirst)
    .filter((root) => after === undefined || newestFirst(after, root) < 0)
    .slice(0, limit + 1);
  const page = found.slice(0, limit);
  const items: OpenDecision[] = [];
  for (const root of page) {
    for (const run of await listFamily(dependencies, families.get(root.id) ?? [], principal)) {
      items.push(...(await listOfRun(dependencies, { root, run, principal })));
    }
  }
  const last = found.length > limit ? page.at(-1) : undefined;
  return last === undefined ? { items } : { items, nextCursor: writeCursor(hash, { since: undefined, after: last }) };
}

/** Lists the keys of the runs with waiting steps, by the keys of their root runs. */
async function listFamilies({ runs }: OpenDecisionsDependencies): Promise<ReadonlyMap<string, readonly string[]>> {
  const families = new Map<string, string[]>();
  for (const { id, rootId } of await runs.listWithWaitingSteps()) {
    const family = families.get(rootId ?? id);
    if (family === undefined) families.set(rootId ?? id, [id]);
    else family.push(id);
  }
  return families;
}

/** Lists the visible runs among these, parents first. */
async function listFamily(
  { runs }: OpenDecisionsDependencies,
  ids: readonly string[],
  principal: Principal,
): Promise<readonly DagRunSummary[]> {
  return [...(await runs.listSummaries(ids)).values()]
    .filter(({ workspace }) => canSee(principal, workspace ?? undefined))
    .toSorted((left, right) => left.depth - right.depth || -newestFirst(left, right));
}

function newestFirst(left: RunPosition, right: RunPosition): number {
  const byTime = right.createdAt.getTime() - left.createdAt.getTime();
  return byTime || compareTexts(right.dagName, left.dagName) || compareTexts(right.id, left.id);
}

interface RunOfFamily {
  readonly root: DagRunSummary;
  readonly run: DagRunSummary;
  readonly principal: Principal;
}

async function listOfRun(
  { runs, parser }: OpenDecisionsDependencies,
  { root, run: { id }, principal }: RunOfFamily,
): Promise<readonly OpenDecision[]> {
  const waiting = (await runs.listSteps(id)).filter(({ status }) => nodeStatus.isWaiting(status));
  const run = waiting.length === 0 ? undefined : await runs.findById(id);
  if (run === undefined) return [];
  const dag = await readStoredDag({ parser, runs }, run);
  const { dagName, workspace } = run;
  const role = effectiveRole(principal, workspace ?? undefined);
  const address = {
    name: root.dagName,
    dagRunId: root.dagRunId,
    dagName,
    ...(run.id === root.id ? {} : { subDAGRunId: run.dagRunId }),
    ...(workspace === null ? {} : { workspace }),
    mayDecide: role !== undefined && roleIncludes(role, decidingRole),
  };
  const decisions = waiting.map(async (row): Promise<readonly OpenDecision[]> => {
    const step = dag.steps[row.position];
    if (step === undefined) return [];
    const pause = await readPause({ runs }, { run, step, row, principal });
    return pause.kind === 'child_run' ? [] : [{ ...address, ...presentSince(row), ...presentDecision(step, pause) }];
  });
  return (await Promise.all(decisions)).flat();
}

function presentDecision(step: Step, { kind, prompt }: Exclude<Pause, { kind: 'child_run' }>) {
  const { name, id, approval } = step;
  const task = kind === 'human_task' ? readHumanTask(presentAction(step)) : undefined;
  return {
    kind,
    step: name,
    ...(id === undefined ? {} : { stepId: id }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(task === undefined ? {} : { form: task.form }),
    ...(kind === 'approval' && approval !== undefined
      ? { input: [...approval.input], required: [...approval.required] }
      : {}),
    ...presentRewind(step),
  };
}

function presentRewind(step: Step) {
  const rewindTo = defaultRewind(step);
  return rewindTo === undefined || rewindTo === step.name ? {} : { rewindTo };
}

function presentSince({ startedAt }: Pick<DagRunStep, 'startedAt'>) {
  return startedAt === null ? {} : { since: startedAt.toISOString() };
}
