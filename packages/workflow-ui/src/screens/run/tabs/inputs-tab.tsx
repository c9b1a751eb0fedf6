import { EmptyState, Table, type TableColumn } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { QueryPanel } from '../../../parts/query-panel';
import type { RunAddress } from '../run-address';
import { useRunMessages } from '../run-messages';
import { useEnvironment } from './run-facts-data';
import styles from './tabs.module.css';

type Variable = Schemas['RunVariable'];

/** What the steps get: parameters and variables, each with its source. Secrets are masked. */
export function InputsTab({ address }: { readonly address: RunAddress }): ReactElement {
  const t = useRunMessages();
  const query = useEnvironment(address);
  return (
    <QueryPanel query={query}>
      {({ variables, files }) => (
        <>
          {files.length === 0 ? null : (
            <p className={styles.tab}>{t('run.inputs.files', { files: files.join(', ') })}</p>
          )}
          {variables.length === 0 ? (
            <EmptyState title={t('run.inputs.none')} />
          ) : (
            <VariableTable variables={variables} />
          )}
        </>
      )}
    </QueryPanel>
  );
}

function VariableTable({ variables }: { readonly variables: readonly Variable[] }): ReactElement {
  const t = useRunMessages();
  // Those of the server have no values here, so that they come last.
  const ordered = variables.toSorted((one, other) => Number(one.source === 'host') - Number(other.source === 'host'));
  const rows = ordered.map((variable, index) => ({ ...variable, id: String(index) }));
  const columns: readonly TableColumn<(typeof rows)[number]>[] = [
    {
      id: 'name',
      name: t('run.inputs.name'),
      isRowHeader: true,
      render: ({ name, isReplaced }) => <code className={isReplaced ? styles.replaced : ''}>{name}</code>,
    },
    {
      id: 'value',
      name: t('run.inputs.value'),
      width: 'grow',
      render: ({ value, resolved = value }) =>
        resolved === undefined ? (
          <span className={styles.muted}>{t('run.inputs.hidden')}</span>
        ) : (
          <code className={styles.wrap} title={value}>
            {resolved}
          </code>
        ),
    },
    {
      id: 'source',
      name: t('run.inputs.source'),
      render: ({ source, step, isReplaced }) => (
        <span className={styles.muted}>
          {t(`run.source.${source}`, { step: step ?? '' })}
          {isReplaced ? ` · ${t('run.inputs.replaced')}` : ''}
        </span>
      ),
    },
  ];
  return <Table label={t('run.tab.inputs')} items={rows} getId={({ id }) => id} columns={columns} />;
}
