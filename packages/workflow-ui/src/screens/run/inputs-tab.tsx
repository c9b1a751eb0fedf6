import { EmptyState, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import type { RunAddress } from '../../parts/run/run-address';
import { useRunMessages } from '../../parts/run/run-messages';
import { groupInputs } from './group-inputs';
import { useEnvironment } from './run-facts-data';
import styles from './tabs.module.css';

type Variable = Schemas['RunVariable'];

/** The inputs of the steps: parameters and variables, each with its source. Secrets are masked. */
export function InputsTab({ address }: { readonly address: RunAddress }): ReactElement {
  const t = useRunMessages();
  const query = useEnvironment(address);
  return (
    <QueryPanel query={query}>
      {({ variables, files }) => {
        const { given, ofRun, ofServer } = groupInputs(variables);
        return (
          <>
            {given.length === 0 ? (
              <EmptyState title={t('run.inputs.none')} />
            ) : (
              <VariableTable label={t('run.tab.inputs')} variables={given} />
            )}
            {files.length === 0 ? null : (
              <p className={styles.files}>{t('run.inputs.files', { files: files.join(', ') })}</p>
            )}
            <FoldedVariables label={t('run.inputs.ofRun', { count: ofRun.length })} variables={ofRun} />
            <FoldedVariables label={t('run.inputs.ofServer', { count: ofServer.length })} variables={ofServer} />
          </>
        );
      }}
    </QueryPanel>
  );
}

interface VariableTableProps {
  readonly label: string;
  readonly variables: readonly Variable[];
}

function FoldedVariables({ label, variables }: VariableTableProps): ReactElement | null {
  if (variables.length === 0) return null;
  return (
    <details className={styles.fold}>
      <summary>{label}</summary>
      <VariableTable label={label} variables={variables} />
    </details>
  );
}

function VariableTable({ label, variables }: VariableTableProps): ReactElement {
  const t = useRunMessages();
  const rows = variables.map((variable, index) => ({ ...variable, id: String(index) }));
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
      render: ({ source, step, profile, isReplaced }) => (
        <span className={styles.muted}>
          {t(`run.source.${source}`, { step: step ?? '', profile: profile ?? '' })}
          {isReplaced ? ` · ${t('run.inputs.replaced')}` : ''}
        </span>
      ),
    },
  ];
  return <Table label={label} items={rows} getId={({ id }) => id} columns={columns} />;
}
