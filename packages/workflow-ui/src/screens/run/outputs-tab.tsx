import { EmptyState } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { JsonTree } from '../../parts/json-tree/json-tree';
import type { RunAddress } from '../../parts/run/run-address';
import type { Run } from '../../parts/run/run-data';
import { useRunMessages } from '../../parts/run/run-messages';
import { ModelUse } from './model-use';
import { useOutputs } from './run-facts-data';
import styles from './tabs.module.css';

export interface OutputsTabProps {
  readonly address: RunAddress;
  readonly run: Run;
  readonly version: number;
}

/** The published values of the steps, as a tree, after the models that the steps have asked. */
export function OutputsTab({ address, run: { modelUse }, version }: OutputsTabProps): ReactElement {
  const t = useRunMessages();
  const query = useOutputs(address, version);
  return (
    <>
      {modelUse === undefined ? null : <ModelUse uses={modelUse} />}
      <QueryPanel query={query}>
        {({ outputs }) =>
          Object.keys(outputs).length === 0 ? (
            <EmptyState title={t('run.outputs.none')}>{t('run.outputs.none.text')}</EmptyState>
          ) : (
            <div className={styles.tab}>
              <JsonTree
                value={Object.fromEntries(Object.entries(outputs).map(([name, text]) => [name, parse(text)]))}
              />
            </div>
          )
        }
      </QueryPanel>
    </>
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
