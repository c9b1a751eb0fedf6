import { useQuery } from '@tanstack/react-query';
import type { ModelUsage, ServiceStatus } from '@weir/rollout-contract';
import { EmptyState, Table, type TableColumn } from '@weir/ui-kit';
import { defineMessages, QueryPanel, ScreenHeader, useTimeFormat } from '@weir/ui-kit/app';
import type { ReactElement, ReactNode } from 'react';
import { statusQuery } from '../../api/queries';
import { formatBytes, formatCount } from '../../parts/format-number';
import { usePartsMessages } from '../../parts/parts-messages';
import { useUsageColumns } from '../../parts/usage-columns';
import messages from './messages.json';
import styles from './status.module.css';

const useStatusMessages = defineMessages(messages);

/** What the proxy samples with, and how full it is. */
export function StatusScreen(): ReactElement {
  const t = useStatusMessages();
  const query = useQuery(statusQuery);
  return (
    <>
      <ScreenHeader title={t('status.title')} />
      <QueryPanel query={query}>
        {(status) => (
          <>
            {status.not_ready === null ? null : (
              <p className={styles.warning}>{t('status.notReady', { reason: status.not_ready })}</p>
            )}
            <Cards status={status} />
            <VersionTable status={status} />
            <ModelTable models={status.models} />
          </>
        )}
      </QueryPanel>
    </>
  );
}

function Cards({ status }: { readonly status: ServiceStatus }): ReactElement {
  const t = useStatusMessages();
  const time = useTimeFormat();
  const used = status.unfinished_sessions + status.unused_grants;
  return (
    <dl className={styles.cards}>
      <Card name={t('status.version')} value={String(status.version)}>
        {status.pending_version === null ? null : t('status.pending', { version: status.pending_version })}
      </Card>
      <Card name={t('status.generation')} value={t(status.paused ? 'status.paused' : 'status.running')}>
        {t('status.generations', { count: status.running_generations })}
      </Card>
      <Card name={t('status.throughput')} value={formatCount(status.tokens_last_minute)}>
        {t('status.perSecond', { count: (status.tokens_last_minute / 60).toFixed(1) })}
      </Card>
      <Card
        name={t('status.capacity')}
        value={t('status.of', { used: formatCount(used), limit: formatCount(status.capacity) })}
        share={used / status.capacity}
      >
        {t('status.capacityNote', { sessions: status.unfinished_sessions, grants: status.unused_grants })}
      </Card>
      <Card
        name={t('status.stored')}
        value={t('status.of', { used: formatCount(status.sessions), limit: formatCount(status.max_sessions) })}
        share={status.sessions / status.max_sessions}
      />
      <Card
        name={t('status.memory')}
        value={t('status.of', { used: formatBytes(status.bytes), limit: formatBytes(status.max_bytes) })}
        share={status.bytes / status.max_bytes}
      />
      <Card name={t('status.model')} value={status.model}>
        {t('status.since', { time: time.short(new Date(status.started_at)) })}
      </Card>
    </dl>
  );
}

interface CardProps {
  readonly name: string;
  readonly value: string;
  /** Of what there may be, from 0 to 1. */
  readonly share?: number;
  readonly children?: ReactNode;
}

function Card({ name, value, share, children }: CardProps): ReactElement {
  return (
    <div className={styles.card}>
      <dt>{name}</dt>
      <dd className={styles.value}>{value}</dd>
      {share === undefined ? null : (
        <dd aria-hidden>
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" className={styles.meter}>
            <rect width="100" height="4" className={styles.room} />
            <rect width={Math.min(100, share * 100)} height="4" />
          </svg>
        </dd>
      )}
      {children === undefined || children === null ? null : <dd className={styles.note}>{children}</dd>}
    </div>
  );
}

type VersionRow = ServiceStatus['versions'][number];

function VersionTable({ status }: { readonly status: ServiceStatus }): ReactElement {
  const t = useStatusMessages();
  const total = Math.max(1, status.sampled_tokens);
  const staleness = ({ version }: VersionRow): string => {
    if (version < 0) return t('status.unknown');
    const count = status.version - version;
    if (count < 0) return t('status.newer');
    return count === 0 ? t('status.current') : t('status.behindBy', { count });
  };
  const columns: readonly TableColumn<VersionRow>[] = [
    { id: 'version', name: t('status.version'), isRowHeader: true, render: ({ version }) => String(version) },
    { id: 'behind', name: t('status.behind'), width: 'grow', render: staleness },
    { id: 'tokens', name: t('status.tokens'), align: 'end', render: ({ tokens }) => formatCount(tokens) },
    {
      id: 'share',
      name: t('status.share'),
      align: 'end',
      render: ({ tokens }) => `${((100 * tokens) / total).toFixed(1)} %`,
    },
  ];
  return (
    <section aria-labelledby="versions">
      <h2 id="versions" className={styles.title}>
        {t('status.versions')}
      </h2>
      {status.versions.length === 0 ? (
        <EmptyState title={t('status.versionsEmpty')} />
      ) : (
        <Table
          label={t('status.versions')}
          items={status.versions}
          getId={({ version }) => String(version)}
          columns={columns}
        />
      )}
    </section>
  );
}

function ModelTable({ models }: { readonly models: readonly ModelUsage[] }): ReactElement | null {
  const t = useStatusMessages();
  const parts = usePartsMessages();
  const columns: readonly TableColumn<ModelUsage>[] = [
    { id: 'model', name: parts('parts.usage.model'), isRowHeader: true, width: 'grow', render: ({ model }) => model },
    ...useUsageColumns(models),
  ];
  if (models.length === 0) return null;
  return (
    <section aria-labelledby="models" className={styles.section}>
      <h2 id="models" className={styles.title}>
        {t('status.models')}
      </h2>
      <Table label={t('status.models')} items={models} getId={({ model }) => model} columns={columns} />
    </section>
  );
}
