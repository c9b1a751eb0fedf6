import { Time } from '@weir/ui-kit/app';
import { TriangleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { RunStatus } from '../../../parts/run-status';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import styles from './backfill.module.css';

const shownOccurrences = 100;

/** The runs that a backfill would start, and those that exist already. */
export function BackfillPreview({ preview }: { readonly preview: Schemas['BackfillPreviewResponse'] }): ReactElement {
  const t = useDagMessages();
  const { occurrences, total, existing, maxOccurrences } = preview;
  if (total > maxOccurrences)
    return <p className={styles.failed}>{t('dag.backfill.tooMany', { most: maxOccurrences })}</p>;
  if (total === 0) return <p className={styles.muted}>{t('dag.backfill.none')}</p>;
  return (
    <section aria-label={t('dag.backfill.preview')} className={styles.preview}>
      <p>{t('dag.backfill.count', { total, existing })}</p>
      <ul tabIndex={0} aria-label={t('dag.backfill.times')} className={styles.times}>
        {occurrences.slice(0, shownOccurrences).map(({ time, entry, statusLabel, clockChange }) => (
          <li key={`${time} ${entry}`}>
            <Time value={time} />
            {statusLabel === undefined ? (
              <span className={styles.muted}>{t('dag.backfill.runs')}</span>
            ) : (
              <RunStatus status={statusLabel} />
            )}
            {clockChange === undefined ? null : (
              <span className={styles.mark}>
                <TriangleAlert aria-hidden size={14} />
                {t(`dag.schedule.${clockChange}`)}
              </span>
            )}
          </li>
        ))}
      </ul>
      {total > shownOccurrences ? (
        <p className={styles.muted}>{t('dag.step.more', { count: total - shownOccurrences })}</p>
      ) : null}
    </section>
  );
}
