import { hasErrors, type Dag, type Finding } from '@weir/workflow-spec';
import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import { type Clock, runStatus, type DagRunSummary } from '@weir/workflow-engine/model';
import { isAppError } from '@weir/foundation';
import type { SpecReader } from '../../dag-parser';
import { requireRole } from '../../access/access-rules';
import type { Requester } from '../../access/audited-operation';
import type { Principal } from '../../access/principal';
import type { RevisionChange, RevisionLog } from '../dag-revisions';
import {
  createStartRule,
  type DagRunRepository,
  type DagRunService,
  type RunStopper,
  type RunWithSteps,
} from '../runs';
import type { DagCatalog } from './dag-catalog';
import { toEntityTag } from '../../http/entity-tag';
import { specInvalid } from '../../dag-parser/spec-errors';
import type { DagFile, DagFileStore } from './dag-file-store';
import { createDagAccess, type VisibleDag } from './dag-access';
import type { RunFiles } from '../../run-files';
import { listDags, type DagListQuery, type DagPage } from './dag-list';
import { formatErrors } from '../../dag-parser/spec-errors';
import type { NameLocks } from './name-locks';
import type { Suspensions } from './suspensions';

export interface DagServiceDependencies {
  readonly store: DagFileStore;
  readonly specs: SpecReader;
  readonly locks: NameLocks;
  readonly revisions: RevisionLog;
  readonly catalog: DagCatalog;
  readonly suspensions: Suspensions;
  readonly runs: DagRunRepository;
  readonly dagRuns: Pick<DagRunService, 'findLatest'>;
  readonly stopper: RunStopper;
  readonly times: ScheduleTimes;
  readonly clock: Clock;
  readonly runFiles: Pick<RunFiles, 'view'>;
}

export interface CheckedSpec {
  readonly dag: Dag;
  readonly localDags: readonly Dag[];
  readonly findings: readonly Finding[];
}

export interface Creation extends Requester {
  /** The kind of change that the revision records. */
  readonly change: RevisionChange;
}

export interface DagView {
  readonly file: DagFile;
  readonly dag: Dag;
  readonly localDags: readonly Dag[];
  /** The base configurations that the DAG was read with. */
  readonly baseTexts: readonly string[];
  readonly errors: readonly string[];
  readonly isSuspended: boolean;
  readonly nextRun: Date | undefined;
  readonly latestRun: RunWithSteps | undefined;
}

export type DagService = ReturnType<typeof createDagService>;

const defaultSpec = `steps:
  - name: hello
    run: echo "Hello from Weir"
`;

export function createDagService(dependencies: DagServiceDependencies) {
  const { store, specs, locks, revisions, catalog, suspensions } = dependencies;
  const { findVisible, findOperable } = createDagAccess(dependencies);

  return {
    list: (query: DagListQuery, principal: Principal, signal?: AbortSignal): Promise<DagPage> =>
      listDags(dependencies, query, principal, signal),

    check: (spec: string, name = 'validated-dag'): Promise<CheckedSpec> => specs.parse(spec, { name }),

    /** Throws `role_missing`, `spec_invalid` or `dag_exists`. */
    async create(name: string, spec: string | undefined, { principal, audit, change }: Creation) {
      const text = spec === undefined || spec.trim() === '' ? defaultSpec : spec;
      const { dag, findings } = await specs.parse(text, { name, overrideName: true });
      requireRole(principal, dag.workspace, 'developer');
      if (hasErrors(findings)) throw specInvalid(findings);
      const state = { text, workspace: dag.workspace };
      await locks.run(name, () =>
        revisions.change(name, { change, author: principal.name, state }, async () => {
          await store.create(name, text);
          await catalog.index(name);
        }),
      );
      const after = { entityTag: toEntityTag(text) };
      await audit.record({ resourceId: name, workspace: dag.workspace, after });
      return { findings, ...after };
    },

    get: async (fileName: string, principal: Principal): Promise<DagView> =>
      readDagView(dependencies, await findVisible(fileName, principal), { fileName, principal }),

    /** Returns the problems, for people. */
    async stopAll(fileName: string, { principal, audit }: Requester): Promise<readonly string[]> {
      const { dag } = await findOperable(fileName, principal);
      return stopRunningRuns({ ...dependencies, audit, principal }, dag.name);
    },

    async setSuspended(fileName: string, isSuspended: boolean, { principal, audit }: Requester): Promise<void> {
      const { dag } = await findOperable(fileName, principal);
      const before = { isSuspended: suspensions.has(fileName) };
      await suspensions.set(fileName, isSuspended);
      catalog.suspensionChanged([fileName]);
      await audit.record({ workspace: dag.workspace, before, after: { isSuspended } });
    },
  };
}

async function readDagView(
  { catalog, suspensions, dagRuns, times, clock }: DagServiceDependencies,
  { file, dag, localDags, findings, baseTexts }: VisibleDag,
  { fileName, principal }: { readonly fileName: string; readonly principal: Principal },
): Promise<DagView> {
  catalog.suspensionChanged(await suspensions.refresh());
  const isSuspended = suspensions.has(fileName);
  return {
    file,
    dag,
    localDags,
    baseTexts,
    errors: file.kind === 'text' ? formatErrors(findings) : [file.problem],
    isSuspended,
    nextRun: isSuspended ? undefined : times.next(dag.schedule, clock.now()),
    latestRun: await dagRuns.findLatest(dag.name, principal),
  };
}

interface StopRunningDependencies extends Requester {
  readonly runs: Pick<DagRunRepository, 'scan'>;
  readonly stopper: Pick<RunStopper, 'stop'>;
}

const pageSize = 500;

/** Requests the running runs of a DAG in the allowed workspaces to end. Returns a sentence for each that could not be stopped. */
async function stopRunningRuns(
  { runs, stopper, audit, principal }: StopRunningDependencies,
  dagName: string,
): Promise<readonly string[]> {
  const mayStopIn = createStartRule(principal);
  const scan = {
    dagName,
    statuses: runStatus.all.filter(runStatus.isRunning),
    workspaces: { unassigned: true, named: 'all' },
    limit: pageSize,
  } as const;
  const errors: string[] = [];
  for (let after: DagRunSummary | undefined; ;) {
    const page = await runs.scan({ ...scan, after });
    for (const run of page) {
      if (!mayStopIn(run.workspace ?? undefined)) continue;
      // A run that has ended meanwhile needs no stop.
      const part = { resourceId: `${dagName}/${run.dagRunId}`, principal };
      await audit
        .inPart(part, (requester) => stopper.stop(run, requester.audit))
        .catch((error: unknown) => {
          if (!isAppError(error)) throw error;
          if (error.reason !== 'not_running') errors.push(error.message);
        });
    }
    after = page.at(-1);
    if (page.length < pageSize) return errors;
  }
}
