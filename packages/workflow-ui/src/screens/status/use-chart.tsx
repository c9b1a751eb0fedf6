import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { useStatusMessages } from './status-messages';
import styles from './status.module.css';

export interface UseChartProps {
  readonly name: string;
  /** Values in per cent, oldest first. */
  readonly points: readonly Schemas['MetricPoint'][];
  readonly note?: string | undefined;
}

const width = 300;
const height = 72;

/** A chart of a use in per cent, on a scale from 0 to 100. */
export function UseChart({ name, points, note }: UseChartProps): ReactElement {
  const t = useStatusMessages();
  const latest = points.at(-1)?.value;
  const max = Math.max(0, ...points.map(({ value }) => value));
  const now = latest === undefined ? '–' : `${latest.toFixed(0)} %`;
  return (
    <figure className={styles.chart}>
      <figcaption>
        <span>{name}</span> <strong>{now}</strong>
        {note === undefined ? null : <span className={styles.note}>{note}</span>}
      </figcaption>
      {points.length < 2 ? (
        <p className={styles.note}>{t('status.noPoints')}</p>
      ) : (
        <svg
          role="img"
          aria-label={t('status.chart', { name, now, max: `${max.toFixed(0)} %` })}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className={styles.plot}
        >
          <path d={`${toLine(points)} L${width} ${height} L0 ${height} Z`} className={styles.area} />
          <path d={toLine(points)} className={styles.stroke} vectorEffect="non-scaling-stroke" />
        </svg>
      )}
    </figure>
  );
}

function toLine(points: UseChartProps['points']): string {
  const start = points[0]?.timestamp ?? 0;
  const span = Math.max(1, (points.at(-1)?.timestamp ?? 0) - start);
  return points
    .map(({ timestamp, value }, index) => {
      const x = ((timestamp - start) / span) * width;
      const y = height - (Math.min(100, Math.max(0, value)) / 100) * (height - 2) - 1;
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join(' ');
}
