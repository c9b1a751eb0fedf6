import { Link } from '@tanstack/react-router';
import { CalendarCheck, CalendarOff, Play, Tag, Trash2 } from 'lucide-react';
import { Suspense, useState, type ReactElement } from 'react';
import { BulkBar, type BulkSelection } from '../../parts/bulk/bulk-bar';
import type { BulkItem } from '../../parts/bulk/bulk-stream';
import { useRefusal } from '../../parts/use-refusal';
import { bulkDagActions, changeDags, type BulkDagAction, type BulkDagsOrder } from './dag-list-data';
import { useDagListMessages } from './dag-list-messages';
import type { DagFilter } from './dag-query';
import { lazyPart } from '../../parts/lazy-part';

const BulkDialog = lazyPart(() => import('../../parts/bulk/bulk-dialog'), 'BulkDialog');
const LabelDialog = lazyPart(() => import('./label-dialog'), 'LabelDialog');

type DagItem = BulkItem & { readonly fileName: string };

const icons = { start: Play, suspend: CalendarOff, resume: CalendarCheck, label: Tag, delete: Trash2 } as const;

export interface DagBulkProps {
  readonly selection: BulkSelection;
  readonly filter: DagFilter;
  readonly onSelect: (selection: BulkSelection) => void;
}

/** The actions on all selected DAGs, with a dry run and a result for each. */
export function DagBulk({ selection, filter, onSelect }: DagBulkProps): ReactElement {
  const t = useDagListMessages();
  const [order, setOrder] = useState<BulkDagsOrder | undefined>();
  const maySuspend = useRefusal('updateDAGSuspensionState');
  const refusals = {
    start: useRefusal('executeDAG'),
    suspend: maySuspend,
    resume: maySuspend,
    label: useRefusal('updateDAGSpec'),
    delete: useRefusal('deleteDAG'),
  };
  const begin = (action: BulkDagAction): void =>
    setOrder({ action, filter, ...(selection === 'matching' ? {} : { only: [...selection] }) });
  const actions = bulkDagActions.map((id) => {
    const Icon = icons[id];
    return {
      id,
      label: t(`dags.bulk.${id}`),
      icon: <Icon aria-hidden size={14} />,
      disabledReason: refusals[id],
      onPress: () => begin(id),
    };
  });
  const close = (): void => setOrder(undefined);
  const needsLabels = order?.action === 'label' && order.addLabels === undefined && order.removeLabels === undefined;
  return (
    <>
      <BulkBar selection={selection} onSelect={onSelect} actions={actions} />
      <Suspense>
        {order === undefined ? null : needsLabels ? (
          <LabelDialog onClose={close} onChosen={(labels) => setOrder({ ...order, ...labels })} />
        ) : (
          <BulkDialog
            title={t(`dags.bulk.${order.action}.title`)}
            send={changeDags(order)}
            getId={(item) => (item as DagItem).fileName}
            renderName={(item) => <FileLink fileName={(item as DagItem).fileName} />}
            confirmLabel={(count) => t(`dags.bulk.${order.action}.confirm`, { count })}
            isDanger={order.action === 'delete'}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

function FileLink({ fileName }: { readonly fileName: string }): ReactElement {
  return (
    <Link to="/dags/$fileName" params={{ fileName }}>
      {fileName}
    </Link>
  );
}
