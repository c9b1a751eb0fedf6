import { classNames, statusTones, type StatusKind } from '@weir/ui-kit';
import { formatDuration } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { RunStatus } from '../../../parts/run-status';
import { useRunMessages } from '../../../parts/run/run-messages';
import type { StepRow } from '../../../parts/run/step-rows';
import type { Bar } from './bars';
import type { TimeScale } from './time-scale';
import styles from './timeline.module.css';

export interface TimelineRowProps {
  readonly row: StepRow;
  readonly index: number;
  readonly bars: readonly Bar[];
  readonly scale: TimeScale;
  readonly top: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

/** The name of a step and its bars. */
export function TimelineRow({ row, index, bars, scale, top, isSelected, onSelect }: TimelineRowProps): ReactElement {
  const t = useRunMessages();
  const { node, name, handler } = row;
  const title = handler === undefined ? name : `${name} · ${t(`run.handler.${handler}`)}`;
  const runs = bars.filter(({ kind }) => kind === 'run');
  const total = runs.reduce((sum, bar) => sum + bar.to - bar.from, 0);
  const last = bars.at(-1);
  const end = last === undefined ? 0 : scale.place(last.to);
  return (
    <div
      id={`timeline-${index}`}
      role="option"
      aria-selected={isSelected}
      tabIndex={-1}
      className={classNames(styles.row, isSelected && styles.selected)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onSelect}
    >
      <span className={styles.name}>
        <RunStatus status={node.statusLabel} isShort />
        <span className={styles.text} title={title}>
          {name}
          {handler === undefined ? null : <span className={styles.handler}> {t(`run.handler.${handler}`)}</span>}
        </span>
      </span>
      <span className={styles.lane}>
        {bars.map((bar) => (
          <BarShape key={`${bar.kind}${bar.from}`} bar={bar} scale={scale} />
        ))}
        {last === undefined ? null : (
          <span className={styles.length} style={{ insetInlineStart: `${end * 100}%` }}>
            {formatDuration(total)}
            {runs.length > 1 ? ` · ${t('run.attempts', { count: runs.length })}` : ''}
          </span>
        )}
      </span>
    </div>
  );
}

function BarShape({ bar, scale }: { readonly bar: Bar; readonly scale: TimeScale }): ReactElement {
  const t = useRunMessages();
  const from = scale.place(bar.from);
  const to = scale.place(bar.to);
  const tone = bar.kind === 'run' ? statusTones[toKind(bar.status)] : undefined;
  return (
    <span
      className={classNames(styles.bar, styles[bar.kind])}
      data-tone={tone}
      title={`${t(`run.bar.${bar.kind}`)}: ${formatDuration(bar.to - bar.from)}`}
      style={{ insetInlineStart: `${from * 100}%`, width: `${(to - from) * 100}%` }}
    />
  );
}

function toKind(status: string | undefined): StatusKind {
  return status !== undefined && status in statusTones ? (status as StatusKind) : 'running';
}
