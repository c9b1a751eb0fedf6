import { classNames } from '@weir/ui-kit';
import { Link } from '@tanstack/react-router';
import { QueryPanel } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { RunAddress } from '../../../parts/run/run-address';
import { useRunMessages } from '../../../parts/run/run-messages';
import type { StepRow } from '../../../parts/run/step-rows';
import { useLogTail } from '../../../parts/run/log-tail-query';
import styles from './log-tail.module.css';

const activeStatuses: ReadonlySet<string> = new Set(['running', 'retrying']);

/** The end of the log of a step. */
export function LogTail({ address, row }: { readonly address: RunAddress; readonly row: StepRow }): ReactElement {
  const t = useRunMessages();
  const { node, name } = row;
  const query = useLogTail({
    address,
    step: name,
    isActive: activeStatuses.has(node.statusLabel),
    version: `${node.statusLabel}${node.retryCount}${node.doneCount}`,
  });
  return (
    <QueryPanel query={query}>
      {({ lines, totalLines }) =>
        lines.length === 0 ? (
          <p className={styles.none}>{t('run.log.none')}</p>
        ) : (
          <>
            {/* Lines of the log are not wrapped, so keyboard users must be able to scroll it. */}
            <pre tabIndex={0} role="region" aria-label={t('run.log.of', { name })} className={styles.log}>
              {lines.map(({ number, text, stream }) => (
                <span key={number} className={classNames(styles.line, stream === 'stderr' && styles.stderr)}>
                  <span aria-hidden className={styles.number}>
                    {number}
                  </span>
                  <span>{`${text}\n`}</span>
                </span>
              ))}
            </pre>
            <p className={styles.none}>
              {totalLines > lines.length ? `${t('run.log.more', { shown: lines.length, total: totalLines })} ` : ''}
              <Link
                data-shortcut="l"
                aria-keyshortcuts="l"
                from="/dag-runs/$name/$runId"
                search={(before) => ({ ...before, tab: 'log', log: 'step', step: row.id })}
              >
                {t('run.log.open')}
              </Link>
            </p>
          </>
        )
      }
    </QueryPanel>
  );
}
