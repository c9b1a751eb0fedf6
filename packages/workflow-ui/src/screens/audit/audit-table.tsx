import { StatusName, Table, type TableColumn } from '@weir/ui-kit';
import { Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { AuditEntry } from './audit-data';
import { useAuditMessages } from './audit-messages';
import { callerOf, objectOf } from './audit-words';
import { useActionName } from './use-action-name';
import styles from '../../parts/screen-body.module.css';

export interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

export function AuditTable({ entries, selected, onSelect }: AuditTableProps): ReactElement {
  const t = useAuditMessages();
  const nameOf = useActionName();
  const columns: readonly TableColumn<AuditEntry>[] = [
    { id: 'time', name: t('audit.time'), render: ({ timestamp }) => <Time value={timestamp} /> },
    {
      id: 'action',
      name: t('audit.action'),
      isRowHeader: true,
      render: ({ action, result }) => (
        <StatusName kind={result === 'success' ? 'succeeded' : 'failed'} name={nameOf(action)} />
      ),
    },
    {
      id: 'object',
      name: t('audit.object'),
      width: 'grow',
      render: (entry) => {
        const object = objectOf(entry);
        return object === '' ? null : <span className={styles.detail}>{object}</span>;
      },
    },
    { id: 'caller', name: t('audit.caller'), render: (entry) => callerOf(entry) ?? t('audit.nobody') },
    { id: 'address', name: t('audit.address'), render: ({ ipAddress = '' }) => ipAddress },
  ];
  return (
    <Table
      label={t('audit.title')}
      items={entries}
      getId={({ id }) => id}
      columns={columns}
      selected={selected}
      onSelect={({ id }) => onSelect(id)}
    />
  );
}
