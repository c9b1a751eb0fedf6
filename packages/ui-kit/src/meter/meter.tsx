import type { ReactElement } from 'react';
import { Meter as AriaMeter } from 'react-aria-components/Meter';
import styles from './meter.module.css';

interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  /** The value in words, such as `3 of 4`; it stands beside the bar. */
  readonly text: string;
}

/** Shows how much of a resource is in use. */
export function Meter({ label, value, max, text }: MeterProps): ReactElement {
  return (
    <AriaMeter
      aria-label={label}
      value={value}
      maxValue={Math.max(max, 1)}
      valueLabel={text}
      className={styles.meter ?? ''}
    >
      {({ percentage }) => (
        <>
          <span aria-hidden className={styles.track} data-full={percentage >= 90}>
            <span className={styles.fill} style={{ width: `${percentage}%` }} />
          </span>
          <span className={styles.text}>{text}</span>
        </>
      )}
    </AriaMeter>
  );
}
