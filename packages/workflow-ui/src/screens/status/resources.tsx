import { useQuery } from '@tanstack/react-query';
import { Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, Time, unwrap, type Failure } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { UseChart } from './use-chart';
import { useStatusMessages } from './status-messages';
import styles from './status.module.css';

const rereadMs = 15_000;
const kinds = ['cpu', 'memory', 'disk'] as const;

/** The use of processors, memory and disk as charts, and the same as a table. */
export function Resources(): ReactElement {
  const t = useStatusMessages();
  const query = useQuery<Schemas['ResourceHistory'], Failure>({
    queryKey: ['resources'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/services/resources/history', { params: { query: { duration: '1h' } }, signal })),
    refetchInterval: rereadMs,
  });
  return (
    <QueryPanel query={query}>
      {(history) => (
        <>
          <div className={styles.charts}>
            {kinds.map((kind) => (
              <UseChart key={kind} name={t(`status.${kind}`)} points={history[kind]} note={toNote(t, kind, history)} />
            ))}
          </div>
          <PointTable history={history} />
        </>
      )}
    </QueryPanel>
  );
}

function toNote(
  t: ReturnType<typeof useStatusMessages>,
  kind: (typeof kinds)[number],
  { memoryUsedBytes, memoryTotalBytes, diskUsedBytes, diskTotalBytes }: Schemas['ResourceHistory'],
): string | undefined {
  if (kind === 'cpu') return undefined;
  const [used, total] = kind === 'memory' ? [memoryUsedBytes, memoryTotalBytes] : [diskUsedBytes, diskTotalBytes];
  return t('status.used', { used: formatBytes(used), total: formatBytes(total) });
}

function formatBytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}

interface Row {
  readonly timestamp: number;
  readonly values: readonly (number | undefined)[];
}

const maxRows = 60;

function PointTable({ history }: { readonly history: Schemas['ResourceHistory'] }): ReactElement {
  const t = useStatusMessages();
  const byTime = kinds.map((kind) => new Map(history[kind].map(({ timestamp, value }) => [timestamp, value])));
  const rows: readonly Row[] = history.cpu
    .slice(-maxRows)
    .reverse()
    .map(({ timestamp }) => ({ timestamp, values: byTime.map((points) => points.get(timestamp)) }));
  const columns: readonly TableColumn<Row>[] = [
    {
      id: 'time',
      name: t('status.time'),
      isRowHeader: true,
      width: 'grow',
      render: ({ timestamp }) => <Time value={new Date(timestamp * 1000).toISOString()} />,
    },
    ...kinds.map((kind, index) => ({
      id: kind,
      name: t(`status.${kind}`),
      align: 'end' as const,
      render: ({ values }: Row) => formatPercent(values[index]),
    })),
  ];
  return (
    <details className={styles.details}>
      <summary>{t('status.table')}</summary>
      <Table
        label={t('status.resources')}
        items={rows}
        getId={({ timestamp }) => String(timestamp)}
        columns={columns}
      />
    </details>
  );
}

function formatPercent(value: number | undefined): string {
  return value === undefined ? '' : `${value.toFixed(0)} %`;
}
