import { Table, type TableColumn } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import styles from './comparison.module.css';

type Value = Schemas['ChangedValue'];

export interface ChangedValuesProps {
  readonly label: string;
  readonly values: readonly Value[];
}

/** The values that differ. */
export function ChangedValues({ label, values }: ChangedValuesProps): ReactElement {
  const t = useDagMessages();
  const changed = values.filter(({ change }) => change !== 'equal');
  if (changed.length === 0) return <p className={styles.muted}>{t('dag.compare.same')}</p>;
  const columns: readonly TableColumn<Value>[] = [
    { id: 'name', name: t('dag.compare.name'), isRowHeader: true, render: ({ name }) => <code>{name}</code> },
    { id: 'from', name: t('dag.compare.older'), render: ({ from }) => <ValueText text={from} /> },
    { id: 'to', name: t('dag.compare.newer'), width: 'grow', render: ({ to }) => <ValueText text={to} /> },
  ];
  return <Table label={label} items={changed} getId={({ name }) => name} columns={columns} />;
}

function ValueText({ text }: { readonly text: string | undefined }): ReactElement {
  const t = useDagMessages();
  if (text === undefined) return <span className={styles.muted}>{t('dag.compare.missing')}</span>;
  return <code className={styles.value}>{text}</code>;
}
