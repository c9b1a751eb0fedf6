import { formatDuration } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { useLingui } from '@lingui/react';
import type { Schemas } from '../../../api/client';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { summariseRuns } from '../../../parts/run/run-statistics';
import styles from './overview.module.css';

/** The results of the last runs in four figures. */
export function RunFigures({ runs }: { readonly runs: readonly Schemas['DAGRunDetails'][] }): ReactElement {
  const t = useDagMessages();
  const { i18n } = useLingui();
  const { ended, successRate, medianMs, slowMs } = summariseRuns(runs);
  const rate =
    successRate === undefined
      ? undefined
      : new Intl.NumberFormat(i18n.locale, { style: 'percent' }).format(successRate);
  const figures = [
    { name: t('dag.figures.rate'), value: rate, note: t('dag.figures.ofEnded', { count: ended }) },
    { name: t('dag.figures.median'), value: medianMs === undefined ? undefined : formatDuration(medianMs) },
    { name: t('dag.figures.slow'), value: slowMs === undefined ? undefined : formatDuration(slowMs) },
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, value = '–', note }) => (
        <div key={name} className={styles.figure}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {note === undefined ? null : <dd className={styles.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
