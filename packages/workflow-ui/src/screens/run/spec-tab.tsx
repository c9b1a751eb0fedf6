import { CopyButton, Segments } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { TextDiff } from '../../editor/view/lazy-text-diff';
import { useRunSpec } from '../../parts/run-spec';
import type { RunAddress } from '../../parts/run/run-address';
import type { Run } from '../../parts/run/run-data';
import { usePresentSpec } from './rerun/rerun-data';
import { useRunMessages } from '../../parts/run/run-messages';
import styles from './tabs.module.css';

export interface SpecTabProps {
  readonly address: RunAddress;
  readonly run: Run;
}

/** The spec of the run, and the later changes of its file. */
export function SpecTab({ address, run }: SpecTabProps): ReactElement {
  const t = useRunMessages();
  const [view, setView] = useState<'stored' | 'changes'>('stored');
  const stored = useRunSpec(address);
  const present = usePresentSpec(run);
  return (
    <QueryPanel query={stored}>
      {(spec) => (
        <div className={styles.tab}>
          <div className={styles.tools}>
            <Segments
              label={t('run.spec.views')}
              value={view}
              segments={[
                { value: 'stored', label: t('run.spec.stored') },
                { value: 'changes', label: t('run.spec.changes') },
              ]}
              onChange={setView}
            />
            <CopyButton text={spec} label={t('run.spec.copy')} />
          </div>
          {view === 'stored' ? (
            <pre tabIndex={0} role="region" aria-label={t('run.spec.stored')} className={styles.code}>
              {spec}
            </pre>
          ) : run.sourceFileName === undefined ? (
            <p>{t('run.rerun.noFile')}</p>
          ) : (
            <QueryPanel query={present}>
              {(now) =>
                now === spec ? (
                  <p>{t('run.spec.same')}</p>
                ) : (
                  <TextDiff
                    {...{ before: spec, beforeLabel: t('run.spec.stored') }}
                    {...{ after: now, afterLabel: t('run.spec.present') }}
                  />
                )
              }
            </QueryPanel>
          )}
        </div>
      )}
    </QueryPanel>
  );
}
