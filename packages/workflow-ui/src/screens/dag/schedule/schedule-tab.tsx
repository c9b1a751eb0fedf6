import { useQuery } from '@tanstack/react-query';
import { EmptyState, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, Time, useTimeFormat } from '@weir/ui-kit/app';
import { TriangleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { BackfillButton } from '../backfill/backfill-button';
import { BackfillList } from '../backfill/backfill-list';
import { occurrencesQuery } from '../../../parts/dag/dag-data';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { ScheduleWords } from '../overview/next-fires';
import { ScheduleReasons } from './schedule-reasons';
import { ScheduleSwitch } from './schedule-switch';
import styles from './schedule.module.css';

type Occurrence = Schemas['Occurrence'];

export interface ScheduleTabProps {
  readonly fileName: string;
  readonly details: Schemas['GetDAGDetailsResponse'];
}

const shownOccurrences = 20;

/** The next occurrences of a DAG, in three time zones, with the switch of its schedule. */
export function ScheduleTab({ fileName, details }: ScheduleTabProps): ReactElement {
  const t = useDagMessages();
  const { dag, suspended } = details;
  const schedule = dag?.schedule ?? [];
  const query = useQuery(occurrencesQuery(fileName, shownOccurrences));
  if (schedule.length === 0)
    return <EmptyState title={t('dag.schedule.none')}>{t('dag.schedule.none.text')}</EmptyState>;
  return (
    <div className={styles.tab}>
      <header className={styles.head}>
        <ScheduleWords schedule={schedule} zone={query.data?.occurrences[0]?.timeZone} />
        <span className={styles.actions}>
          <BackfillButton fileName={fileName} />
          <ScheduleSwitch fileName={fileName} isSuspended={suspended} />
        </span>
      </header>
      {suspended ? <p className={styles.off}>{t('dag.schedule.off')}</p> : null}
      <ScheduleReasons fileName={fileName} />
      <BackfillList fileName={fileName} />
      <QueryPanel query={query}>{({ occurrences }) => <Occurrences occurrences={occurrences} />}</QueryPanel>
    </div>
  );
}

function Occurrences({ occurrences }: { readonly occurrences: readonly Occurrence[] }): ReactElement {
  const t = useDagMessages();
  const { zone } = useTimeFormat();
  const [first] = occurrences;
  if (first === undefined) return <EmptyState title={t('dag.schedule.over')}>{t('dag.schedule.over.text')}</EmptyState>;
  const columns: readonly TableColumn<Occurrence>[] = [
    {
      id: 'own',
      name: t('dag.schedule.own', { zone }),
      isRowHeader: true,
      render: ({ time }) => <Time value={time} />,
    },
    {
      id: 'server',
      name: t('dag.schedule.server'),
      render: ({ localTime, timeZone }) => (
        <>
          {toClock(localTime)} <span className={styles.muted}>{timeZone}</span>
        </>
      ),
    },
    {
      id: 'utc',
      name: t('dag.schedule.utc'),
      render: ({ time }) => <span>{toClock(new Date(time).toISOString())}</span>,
    },
    {
      id: 'action',
      name: t('dag.schedule.action'),
      render: ({ action }) => <span>{t(`dag.schedule.action.${action}`)}</span>,
    },
  ];
  const marks: TableColumn<Occurrence> = {
    id: 'mark',
    name: t('dag.schedule.clocks'),
    width: 'grow',
    render: (due) => <ClockChange occurrence={due} />,
  };
  const isMarked = occurrences.some(({ clockChange }) => clockChange !== undefined);
  return (
    <Table
      label={t('dag.schedule.next')}
      items={occurrences}
      getId={({ time, action, entry }) => `${time} ${action} ${entry}`}
      columns={isMarked ? [...columns, marks] : columns}
    />
  );
}

/** Describes the change of clocks at that time. */
function ClockChange({ occurrence: { clockChange } }: { readonly occurrence: Occurrence }): ReactElement | null {
  const t = useDagMessages();
  if (clockChange === undefined) return null;
  return (
    <span className={styles.mark}>
      <TriangleAlert aria-hidden size={16} />
      {t(`dag.schedule.${clockChange}`)}
    </span>
  );
}

/** Returns `2026-11-23 02:30` for an ISO time, in its own offset. */
function toClock(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
