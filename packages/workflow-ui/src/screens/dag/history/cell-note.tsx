import { ShortId, StatusName } from '@weir/ui-kit';
import { Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { statusKindOf } from '../../../api/status';
import { useAppMessages } from '../../../parts/text/app-messages';
import { Duration } from '../../../parts/duration';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import type { Cell } from './move-cell';
import type { History } from './to-history';
import { useStepName } from './use-step-name';
import styles from './history.module.css';

export interface CellNoteProps {
  readonly history: History;
  readonly cell: Cell;
}

/** Describes the active cell. */
export function CellNote({ history: { runs, steps }, cell: { row, column } }: CellNoteProps): ReactElement | null {
  const t = useDagMessages();
  const app = useAppMessages();
  const nameOf = useStepName();
  const run = runs[column];
  if (run === undefined) return null;
  const step = steps[row - 1];
  const kind = step === undefined ? statusKindOf(run.statusLabel) : step.cells[column];
  return (
    <p role="status" className={styles.note}>
      <strong>{step === undefined ? t('dag.history.run') : nameOf(step.name)}</strong>
      {kind === undefined ? (
        <span className={styles.muted}>{t('dag.history.notRun')}</span>
      ) : (
        <StatusName kind={kind} name={app(`app.status.${kind}`)} />
      )}
      <span>
        {t('dag.history.run')} <ShortId id={run.dagRunId} />
      </span>
      <Time value={run.startedAt} />
      <span className={styles.muted}>
        <Duration startedAt={run.startedAt} finishedAt={run.finishedAt} />
      </span>
    </p>
  );
}
