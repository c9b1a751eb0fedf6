import { Table, type TableColumn } from '@weir/ui-kit';
import { formatDuration } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { RunStatus } from '../../../parts/run-status';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import styles from './comparison.module.css';

type Step = Schemas['StepDiff'];

/** The steps of both runs, those with another status first. */
export function ComparedSteps({ steps }: { readonly steps: readonly Step[] }): ReactElement {
  const t = useDagMessages();
  const isSame = ({ change }: Step): number => (change === 'equal' ? 1 : 0);
  const columns: readonly TableColumn<Step>[] = [
    { id: 'name', name: t('dag.history.step'), isRowHeader: true, width: 'grow', render: ({ name }) => name },
    { id: 'from', name: t('dag.compare.older'), render: ({ from }) => <ComparedSide side={from} /> },
    { id: 'to', name: t('dag.compare.newer'), render: ({ to }) => <ComparedSide side={to} /> },
    {
      id: 'difference',
      name: t('dag.compare.duration'),
      align: 'end',
      render: ({ from, to }) => <Difference from={from?.durationMs} to={to?.durationMs} />,
    },
  ];
  return (
    <Table
      label={t('dag.compare.steps')}
      items={[...steps].sort((one, other) => isSame(one) - isSame(other))}
      getId={({ name }) => name}
      columns={columns}
    />
  );
}

function ComparedSide({ side }: { readonly side: Schemas['ComparedStep'] | undefined }): ReactElement {
  const t = useDagMessages();
  if (side === undefined) return <span className={styles.muted}>{t('dag.compare.missing')}</span>;
  return (
    <span className={styles.step}>
      <RunStatus status={side.statusLabel} />
      {side.durationMs === undefined ? null : <span className={styles.muted}>{formatDuration(side.durationMs)}</span>}
    </span>
  );
}

interface DifferenceProps {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

function Difference({ from, to }: DifferenceProps): ReactElement | null {
  if (from === undefined || to === undefined) return null;
  const sign = to < from ? '−' : '+';
  return <span>{`${sign}${formatDuration(Math.abs(to - from))}`}</span>;
}
