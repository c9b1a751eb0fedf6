import { Button, Table, useToast, type TableColumn } from '@weir/ui-kit';
import { Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { useRefusal } from '../../../parts/use-refusal';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { useBackfills, useCancelBackfill } from './backfill-data';
import styles from './backfill.module.css';

type Backfill = Schemas['Backfill'];

/** The backfills of a DAG with their progress. Renders nothing where there was none. */
export function BackfillList({ fileName }: { readonly fileName: string }): ReactElement | null {
  const t = useDagMessages();
  const { data } = useBackfills(fileName);
  if (data === undefined || data.backfills.length === 0) return null;
  const columns: readonly TableColumn<Backfill>[] = [
    {
      id: 'range',
      name: t('dag.backfill.range'),
      isRowHeader: true,
      render: ({ from, to }) => (
        <>
          <Time value={from} /> – <Time value={to} />
        </>
      ),
    },
    {
      id: 'status',
      name: t('dag.runs.status'),
      render: ({ status }) => <span>{t(`dag.backfill.status.${status}`)}</span>,
    },
    { id: 'progress', name: t('dag.backfill.progress'), width: 'grow', render: (each) => <Progress backfill={each} /> },
    { id: 'author', name: t('dag.backfill.author'), render: ({ author }) => <span>{author}</span> },
    { id: 'cancel', name: t('dag.backfill.actions'), render: (each) => <Cancel fileName={fileName} backfill={each} /> },
  ];
  return (
    <section aria-label={t('dag.backfills')} className={styles.list}>
      <h2>{t('dag.backfills')}</h2>
      <Table label={t('dag.backfills')} items={data.backfills} getId={({ id }) => id} columns={columns} />
    </section>
  );
}

function Progress({ backfill }: { readonly backfill: Backfill }): ReactElement {
  const t = useDagMessages();
  const { total, remaining, started, existing, error } = backfill;
  return (
    <span className={styles.progress}>
      <progress aria-label={t('dag.backfill.progress')} max={Math.max(1, total)} value={total - remaining} />
      {t('dag.backfill.settled', { started, existing, total })}
      {error === undefined ? null : <span className={styles.failed}>{error}</span>}
    </span>
  );
}

interface CancelProps {
  readonly fileName: string;
  readonly backfill: Backfill;
}

function Cancel({ fileName, backfill: { id, status } }: CancelProps): ReactElement | null {
  const t = useDagMessages();
  const toast = useToast();
  const reason = useRefusal('cancelBackfill');
  const { mutate, isPending } = useCancelBackfill(fileName);
  if (status !== 'active') return null;
  const cancel = (): void => mutate(id, { onError: ({ message }) => toast({ message, tone: 'failed' }) });
  return (
    <Button disabledReason={reason} isPending={isPending} onPress={cancel}>
      {t('dag.backfill.cancel')}
    </Button>
  );
}
