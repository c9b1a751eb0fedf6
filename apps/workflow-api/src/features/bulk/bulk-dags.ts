import type { ServerEvent } from '@weir/http-contract';
import { hasErrors } from '@weir/workflow-spec';
import type { Requester } from '../../access/audited-operation';
import type { Principal } from '../../access/principal';
import {
  createDagAccess,
  findDags,
  fileUnreadable,
  type DagEditor,
  type DagEntry,
  type DagFilter,
  type DagFilterDependencies,
  type DagAccessDependencies,
  type DagService,
} from '../dags';
import { startsAs, type StartCheck, type StartRun } from '../runs';
import { specInvalid } from '../../dag-parser/spec-errors';
import type { Logger } from '@weir/service-kit';
import { changeAll, type BulkRequest, type BulkRequester } from './change-all';
import { editLabels, type LabelChange } from './edit-labels';

export interface BulkDagsDependencies extends DagAccessDependencies, DagFilterDependencies {
  readonly dags: Pick<DagService, 'setSuspended'>;
  readonly editor: DagEditor;
  readonly startRun: StartRun;
  readonly checkStart: StartCheck;
  readonly logger: Logger;
}

export interface BulkDagsRequest extends BulkRequest {
  readonly action: 'start' | 'suspend' | 'resume' | 'label' | 'delete';
  readonly filter: DagFilter;
  /** The file names of the DAGs to change. */
  readonly only?: readonly string[] | undefined;
  readonly params?: string | undefined;
  readonly addLabels?: readonly string[] | undefined;
  readonly removeLabels?: readonly string[] | undefined;
}

interface DagAction {
  readonly check: (fileName: string, principal: Principal) => Promise<unknown>;
  readonly perform: (fileName: string, requester: Requester) => Promise<{ readonly dagRunId: string } | undefined>;
}

/** Resolves when the filter was accepted. Throws `workspace_not_found` or `dags_loading`. */
export async function changeDags(
  dependencies: BulkDagsDependencies,
  request: BulkDagsRequest,
  { principal, audit, signal }: BulkRequester,
): Promise<AsyncGenerator<ServerEvent>> {
  const { logger } = dependencies;
  const entries = await findDags(dependencies, request.filter, { principal, signal });
  const { check, perform } = dagActions(dependencies, request)[request.action];
  const change = {
    describe: ({ fileName }: DagEntry) => ({ fileName }),
    check: async ({ fileName }: DagEntry) => {
      await check(fileName, principal);
    },
    perform: ({ fileName }: DagEntry) =>
      audit.inPart({ resourceId: fileName, principal }, (requester) => perform(fileName, requester)),
  };
  const only = request.only && new Set(request.only);
  const chosen = only === undefined ? entries : entries.filter(({ fileName }) => only.has(fileName));
  return changeAll(each(chosen), change, { request, signal, logger });
}

function dagActions(
  { dags, editor, startRun, checkStart, ...reachable }: BulkDagsDependencies,
  { params, addLabels: add = [], removeLabels: remove = [] }: BulkDagsRequest,
): Record<BulkDagsRequest['action'], DagAction> {
  const { findOperable, findRunnable, findEditable } = createDagAccess(reachable);
  const suspend = (isSuspended: boolean): DagAction => ({
    check: findOperable,
    perform: async (fileName, requester) => {
      await dags.setSuspended(fileName, isSuspended, requester);
      return undefined;
    },
  });
  const relabel = createRelabel(editor, { add, remove });
  return {
    start: {
      check: async (fileName, principal) =>
        checkStart(await findRunnable(fileName, principal), { params, ...startsAs(principal) }),
      perform: async (fileName, { principal, audit }) => {
        const source = await findRunnable(fileName, principal);
        const { dagRunId } = await startRun(source, { params, ...startsAs(principal), audit });
        return { dagRunId };
      },
    },
    suspend: suspend(true),
    resume: suspend(false),
    label: {
      check: async (fileName, principal) => {
        const { file } = await findEditable(fileName, principal);
        if (file.kind === 'unreadable') throw fileUnreadable(file.problem);
        editLabels(file.text, { add, remove });
      },
      perform: relabel,
    },
    delete: {
      check: findEditable,
      perform: async (fileName, requester) => {
        await editor.remove(fileName, { ...requester, ifMatch: undefined });
        return undefined;
      },
    },
  };
}

/** Throws `revision_changed` when the file was changed meanwhile. */
function createRelabel(editor: DagEditor, labels: LabelChange): DagAction['perform'] {
  return async (fileName, requester) => {
    const { text, entityTag, problem } = await editor.read(fileName, requester.principal);
    if (problem !== undefined) throw fileUnreadable(problem);
    const change = { ...requester, ifMatch: entityTag, change: 'changed' as const };
    const { findings } = await editor.replace(fileName, editLabels(text, labels), change);
    if (hasErrors(findings)) throw specInvalid(findings);
    return undefined;
  };
}

// oxlint-disable-next-line typescript/require-await -- what consumes it takes pages of runs, too
async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
