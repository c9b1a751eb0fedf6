import { LRUCache } from 'lru-cache';
import { runStatus, type DagRun, type DagRunSummary } from '@weir/workflow-engine/model';
import type { StateStore } from '@weir/workflow-engine';
import type { DagParser } from '../../dag-parser';
import { remoteLeaseMs } from '../queue/store/remote-owner';
import { parseStored, type DagRunRepository } from '../runs';

type Keyspace = Parameters<StateStore['get']>[0];

export interface RunAccessPorts {
  readonly runs: Pick<DagRunRepository, 'findById' | 'listOwned'>;
  readonly parser: DagParser;
}

/** What a worker may reach: what the runs that it executes now could reach, and nothing else. */
export interface RunAccess {
  /** Whether the worker executes the run, has executed it last, or executes a run of the same root. */
  mayRead(workerId: string, run: DagRunSummary): Promise<boolean>;
  /** The run, which the worker executes under this token; `undefined` when it does not. */
  findHeld(workerId: string, lease: { readonly runId: string; readonly token: number }): Promise<DagRun | undefined>;
  /** The same for the files of a run, whose last lines come after its end was stored, or after it was given back. */
  findWritten(workerId: string, lease: { readonly runId: string; readonly token: number }): Promise<DagRun | undefined>;
  /** Remembers for a minute that the worker has given a run back. */
  noteReturn(workerId: string, lease: { readonly runId: string; readonly token: number }): void;
  mayUseState(workerId: string, keyspace: Keyspace): Promise<boolean>;
  /** Whether the definition of one of its runs in this workspace names the secret. */
  mayReadSecret(workerId: string, ref: string, workspace: string | undefined): Promise<boolean>;
  mayReadProfileSecret(workerId: string, profileId: string, key: string): Promise<boolean>;
  /** Whether one of its runs may call a DAG of this workspace. */
  mayCall(workerId: string, workspace: string | undefined): Promise<boolean>;
}

function keyOf(workerId: string, { runId, token }: { readonly runId: string; readonly token: number }): string {
  return `${workerId} ${runId} ${token}`;
}

export function createRunAccess({ runs, parser }: RunAccessPorts): RunAccess {
  const returned = new LRUCache<string, true>({ max: 10_000, ttl: remoteLeaseMs });
  const owned = (workerId: string): Promise<readonly DagRunSummary[]> => runs.listOwned([workerId]);

  const anyOwned = async (workerId: string, matches: (run: DagRun) => boolean | Promise<boolean>): Promise<boolean> => {
    for (const { id } of await owned(workerId)) {
      const run = await runs.findById(id);
      if (run !== undefined && (await matches(run))) return true;
    }
    return false;
  };

  /** The workspaces and names of DAGs of its runs, and of the roots of these. */
  const reachOf = async (workerId: string): Promise<readonly DagRunSummary[]> => {
    const held = await owned(workerId);
    const rootIds = new Set(held.flatMap(({ rootId }) => rootId ?? []));
    const roots = await Promise.all([...rootIds].map((id) => runs.findById(id)));
    return [...held, ...roots.filter((run) => run !== undefined)];
  };

  return {
    mayRead: async (workerId, run) => {
      if (run.ownerId === workerId) return true;
      if (returned.has(keyOf(workerId, { runId: run.id, token: run.fencingToken }))) return true;
      const root = run.rootId ?? run.id;
      const { startedBy } = run;
      return (await owned(workerId)).some(
        (held) =>
          (held.rootId ?? held.id) === root ||
          (startedBy?.kind === 'run' && startedBy.name === held.dagName && startedBy.id === held.dagRunId),
      );
    },
    findHeld: async (workerId, { runId, token }) => {
      const run = await runs.findById(runId);
      return run?.ownerId === workerId && run.fencingToken === token && runStatus.isRunning(run.status)
        ? run
        : undefined;
    },
    findWritten: async (workerId, lease) => {
      const run = await runs.findById(lease.runId);
      if (run?.fencingToken !== lease.token) return undefined;
      return run.ownerId === workerId || (run.ownerId === null && returned.has(keyOf(workerId, lease)))
        ? run
        : undefined;
    },
    noteReturn: (workerId, lease) => {
      returned.set(keyOf(workerId, lease), true);
    },
    mayUseState: async (workerId, { scope, namespace }) =>
      (await reachOf(workerId)).some(({ dagName, workspace }) => {
        const shared = workspace === null ? '' : `@${workspace}`;
        if (scope === 'dag') return namespace === dagName;
        return scope === `global${shared}` || scope === `custom${shared}`;
      }),
    mayReadSecret: (workerId, ref, workspace) =>
      anyOwned(workerId, async (run) => {
        if ((run.workspace ?? undefined) !== workspace) return false;
        const { dag } = await parseStored(parser, run);
        return (dag.secrets ?? []).some((secret) => secret.kind === 'ref' && secret.ref === ref);
      }),
    mayReadProfileSecret: (workerId, profileId, key) =>
      anyOwned(workerId, ({ profileLayers }) =>
        profileLayers.some(({ id, secrets }) => id === profileId && secrets.includes(key)),
      ),
    mayCall: async (workerId, workspace) =>
      (await owned(workerId)).some(
        (run) => workspace === undefined || run.workspace === null || run.workspace === workspace,
      ),
  };
}
