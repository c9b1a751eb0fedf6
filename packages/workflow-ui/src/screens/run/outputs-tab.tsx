import { EmptyState } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { JsonTree } from '../../parts/json-tree/json-tree';
import type { RunAddress } from '../../parts/run/run-address';
import { useRunMessages } from '../../parts/run/run-messages';
import { useOutputs } from './run-facts-data';
import styles from './tabs.module.css';

export interface OutputsTabProps {
  readonly address: RunAddress;
  readonly version: number;
}

/** The published values of the steps, as a tree. */
export function OutputsTab({ address, version }: OutputsTabProps): ReactElement {
  const t = useRunMessages();
  const query = useOutputs(address, version);
  return (
    <QueryPanel query={query}>
      {({ outputs }) =>
        Object.keys(outputs).length === 0 ? (
          <EmptyState title={t('run.outputs.none')}>{t('run.outputs.none.text')}</EmptyState>
        ) : (
          <div className={styles.tab}>
            <JsonTree value={Object.fromEntries(Object.entries(outputs).map(([name, text]) => [name, parse(text)]))} />
          </div>
        )
      }
    </QueryPanel>
  );
}

/** Values other than strings are JSON; a string that looks like an object is shown as one. */
function parse(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
