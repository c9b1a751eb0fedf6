import { CircleStop, ListX, RotateCcw, Trash2 } from 'lucide-react';
import { Suspense, useState, type ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { BulkBar, type BulkSelection } from '../../parts/bulk/bulk-bar';
import type { BulkItem } from '../../parts/bulk/bulk-stream';
import { RunLink } from '../../parts/run-link';
import { useRefusal } from '../../parts/use-refusal';
import { bulkRunActions, changeRuns, type BulkRunAction, type BulkRunsTarget } from './run-list-data';
import { useRunListMessages } from './run-list-messages';
import type { RunFilter } from './run-query';
import { runKeyOf } from '../../parts/run-table/run-table';
import { lazyPart } from '../../parts/lazy-part';

const BulkDialog = lazyPart(() => import('../../parts/bulk/bulk-dialog'), 'BulkDialog');

type RunItem = BulkItem & Schemas['DAGRunName'];

const icons = { retry: RotateCcw, stop: CircleStop, dequeue: ListX, delete: Trash2 } as const;
const isDanger = { retry: false, stop: true, dequeue: false, delete: true } as const;

export interface RunBulkProps {
  readonly selection: BulkSelection;
  readonly filter: RunFilter;
  /** The rows of the page. */
  readonly runs: readonly Schemas['DAGRunSummary'][];
  readonly onSelect: (selection: BulkSelection) => void;
}

/** The actions on all selected runs, with a dry run and a result for each. */
export function RunBulk({ selection, filter, runs, onSelect }: RunBulkProps): ReactElement {
  const t = useRunListMessages();
  const [order, setOrder] = useState<{ readonly action: BulkRunAction; readonly target: BulkRunsTarget } | undefined>();
  const refusals = {
    retry: useRefusal('retryDAGRun'),
    stop: useRefusal('terminateDAGRun'),
    dequeue: useRefusal('dequeueDAGRun'),
    delete: useRefusal('deleteDAGRun'),
  };
  const begin = (action: BulkRunAction): void => {
    const chosen = selection === 'matching' ? undefined : runs.filter((run) => selection.has(runKeyOf(run)));
    const only = chosen?.map(({ name, dagRunId }) => ({ name, dagRunId }));
    setOrder({ action, target: { filter, ...(only === undefined ? {} : { only }) } });
  };
  const actions = bulkRunActions.map((id) => {
    const Icon = icons[id];
    return {
      id,
      label: t(`runs.bulk.${id}`),
      icon: <Icon aria-hidden size={14} />,
      disabledReason: refusals[id],
      onPress: () => begin(id),
    };
  });
  return (
    <>
      <BulkBar selection={selection} onSelect={onSelect} actions={actions} />
      {order === undefined ? null : (
        <Suspense>
          <BulkDialog
            title={t(`runs.bulk.${order.action}.title`)}
            send={changeRuns(order.action, order.target)}
            getId={(item) => runKeyOf(item as RunItem)}
            renderName={(item) => <RunLink {...(item as RunItem)} />}
            confirmLabel={(count) => t(`runs.bulk.${order.action}.confirm`, { count })}
            isDanger={isDanger[order.action]}
            onClose={() => setOrder(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
