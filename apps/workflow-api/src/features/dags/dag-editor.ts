import { hasErrors, type Dag, type Finding } from '@weir/workflow-spec';
import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { Clock } from '@weir/workflow-engine/model';
import type { SpecReader } from '../../dag-parser';
import { requireRole } from '../../access/access-rules';
import type { AuditedChange, Requester } from '../../access/audited-operation';
import type { Principal } from '../../access/principal';
import type { RevisionChange, RevisionLog } from '../dag-revisions';
import type { DagRunRepository } from '../runs';
import { assertRevision, revisionChanged, toEntityTag } from '../../http/entity-tag';
import type { DagCatalog } from './dag-catalog';
import { dagRunning } from './dag-errors';
import type { DagFile, DagFileStore } from './dag-file-store';
import { createDagAccess } from './dag-access';
import type { NameLocks } from './name-locks';
import type { Suspensions } from './suspensions';

export interface DagEditorDependencies {
  readonly store: DagFileStore;
  readonly specs: SpecReader;
  readonly locks: NameLocks;
  readonly revisions: RevisionLog;
  readonly catalog: DagCatalog;
  readonly suspensions: Suspensions;
  readonly runs: Pick<DagRunRepository, 'hasActive'>;
  readonly times: ScheduleTimes;
  readonly clock: Clock;
  /** Webhooks belong to a file, and follow it to a new name. */
  readonly webhooks: {
    removeWithDag(fileName: string): Promise<void>;
    rename(fileName: string, newFileName: string): Promise<void>;
  };
}

export interface SpecView {
  readonly text: string;
  readonly entityTag: string;
  readonly dag: Dag;
  readonly findings: readonly Finding[];
  /** The reason why the file cannot be read, for people. */
  readonly problem: string | undefined;
  readonly nextRun: Date | undefined;
}

export interface Change extends Requester {
  /** The revision that the change is for; without it, any revision. */
  readonly ifMatch: string | undefined;
}

export interface Replacement extends Change {
  /** The kind of change that the revision records. */
  readonly change: RevisionChange;
}

/** A text that comes from another place, such as a repository. */
export interface AcceptedSpec {
  /** Missing where the file is to be removed. */
  readonly text: string | undefined;
  readonly principal: Principal;
  /** Whether the present text is the one that was replaced in the other place. */
  readonly isExpected: (text: string | undefined) => boolean;
}

export type DagEditor = ReturnType<typeof createDagEditor>;

/**
 * Reads and changes DAG files. Every operation throws `dag_not_found`; changes also throw `role_missing`,
 * `revision_changed` and `dags_folder_not_writable`. This process makes the changes of one file one after another.
 */
export function createDagEditor(dependencies: DagEditorDependencies) {
  const { store, specs, locks, revisions, catalog, suspensions, runs, times, clock, webhooks } = dependencies;
  const { findVisible, findEditable } = createDagAccess(dependencies);
  return {
    async read(fileName: string, principal: Principal): Promise<SpecView> {
      const { file, dag, findings } = await findVisible(fileName, principal);
      catalog.suspensionChanged(await suspensions.refresh());
      return {
        dag,
        findings,
        text: textOf(file),
        entityTag: toEntityTag(textOf(file)),
        problem: file.kind === 'text' ? undefined : file.problem,
        nextRun: suspensions.has(fileName) ? undefined : times.next(dag.schedule, clock.now()),
      };
    },

    /** Refuses a text with errors. */
    replace: (fileName: string, text: string, { principal, audit, ifMatch, change }: Replacement) =>
      locks.run(fileName, async () => {
        const { file, dag: formerDag } = await findEditable(fileName, principal);
        assertRevision(ifMatch, toEntityTag(textOf(file)));
        const { dag, findings } = await specs.parse(text, { name: fileName });
        requireRole(principal, dag.workspace, 'developer');
        const former = textOf(file);
        if (hasErrors(findings)) return { findings, entityTag: toEntityTag(former) };
        if (text !== former) {
          const state = { text, workspace: dag.workspace };
          await revisions.change(fileName, { change, author: principal.name, state }, async () => {
            await store.replace(file, text);
            await catalog.index(fileName);
          });
          await audit.record(describeReplacement(dag, former, text));
          if (formerDag.workspace !== dag.workspace) {
            const { workspace = null } = formerDag;
            await audit.inPart({ resourceId: fileName, principal }, (part) =>
              part.audit.record({ workspace, before: { entityTag: toEntityTag(former) } }),
            );
          }
        }
        return { findings, entityTag: toEntityTag(text) };
      }),

    /**
     * Gives a file the text of another place, byte by byte and even if it has errors. Throws `role_missing`,
     * `revision_changed`, `dag_exists` or `dags_folder_not_writable`.
     */
    accept: (fileName: string, accepted: AcceptedSpec): Promise<void> =>
      locks.run(fileName, () => acceptSpec(dependencies, fileName, accepted)),

    /** Runs are kept, and active ones continue. */
    remove: (fileName: string, { principal, audit, ifMatch }: Change): Promise<void> =>
      locks.run(fileName, async () => {
        const { file, dag } = await findEditable(fileName, principal);
        assertRevision(ifMatch, toEntityTag(textOf(file)));
        await revisions.change(fileName, { change: 'deleted', author: principal.name, state: undefined }, () =>
          removeFile(dependencies, file),
        );
        await audit.record({ workspace: dag.workspace, before: { entityTag: toEntityTag(textOf(file)) } });
      }),

    /** The suspension follows the new name. Also throws `dag_running` or `dag_exists`. */
    rename: (fileName: string, newFileName: string, { principal, audit }: Requester): Promise<void> =>
      locks.runAll([fileName, newFileName], async () => {
        const { file, dag } = await findEditable(fileName, principal);
        if (await runs.hasActive(dag.name)) throw dagRunning(fileName);
        await suspensions.refresh();
        const isSuspended = suspensions.has(fileName);
        const state = { text: textOf(file), workspace: dag.workspace };
        await revisions.rename([fileName, newFileName], { author: principal.name, state }, async () => {
          await store.rename(file, newFileName);
          await webhooks.rename(fileName, newFileName);
          // The new name may still have a flag of a file that was removed by hand.
          if (suspensions.has(newFileName) !== isSuspended) await suspensions.set(newFileName, isSuspended);
          if (isSuspended) await suspensions.set(fileName, false);
          await Promise.all([fileName, newFileName].map((name) => catalog.index(name)));
        });
        await audit.record({ workspace: dag.workspace, before: { fileName }, after: { fileName: newFileName } });
      }),
  };
}

async function acceptSpec(
  dependencies: DagEditorDependencies,
  fileName: string,
  { text, principal, isExpected }: AcceptedSpec,
): Promise<void> {
  const { store, specs, revisions, catalog } = dependencies;
  const file = await store.read(fileName);
  const isReadable = file === undefined || file.kind === 'text';
  if (!isReadable || !isExpected(file && textOf(file))) throw revisionChanged();
  const workspaceOf = async (each: string) => (await specs.parse(each, { name: fileName })).dag.workspace;
  if (file !== undefined) requireRole(principal, await workspaceOf(textOf(file)), 'developer');
  const workspace = text === undefined ? undefined : await workspaceOf(text);
  if (text !== undefined) requireRole(principal, workspace, 'developer');
  const change = text === undefined ? 'deleted' : file === undefined ? 'created' : 'changed';
  const state = text === undefined ? undefined : { text, workspace };
  await revisions.change(fileName, { change, author: principal.name, state }, async () => {
    if (text === undefined) {
      if (file !== undefined) await removeFile(dependencies, file);
      return;
    }
    await (file === undefined ? store.create(fileName, text) : store.replace(file, text));
    await catalog.index(fileName);
  });
}

async function removeFile(
  { store, webhooks, suspensions, catalog }: DagEditorDependencies,
  file: DagFile,
): Promise<void> {
  const { fileName } = file;
  await store.remove(file);
  await webhooks.removeWithDag(fileName);
  // Otherwise a later DAG of this name would begin suspended.
  await suspensions.refresh();
  if (suspensions.has(fileName)) await suspensions.set(fileName, false);
  await catalog.index(fileName);
}

function describeReplacement({ workspace }: Dag, former: string, text: string): AuditedChange {
  const [before, after] = [former, text].map((each) => ({ entityTag: toEntityTag(each) }));
  return { workspace, before, after };
}

function textOf(file: DagFile): string {
  return file.kind === 'text' ? file.text : '';
}
