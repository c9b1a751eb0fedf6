import type { SessionSummary } from '@weir/rollout-contract';
import type { ReactElement } from 'react';
import { formatReward } from '../../parts/format-number';
import styles from './task.module.css';

const height = 64;
const step = 18;
const bar = 12;

export interface RewardStripProps {
  readonly label: string;
  readonly sessions: readonly SessionSummary[];
}

/** The rewards of a group as bars from zero, the smallest first. The table below has the same numbers. */
export function RewardStrip({ label, sessions }: RewardStripProps): ReactElement | null {
  const rewarded = sessions.flatMap(({ session_id: id, reward }) => (reward === null ? [] : [{ id, reward }]));
  if (rewarded.length === 0) return null;
  const sorted = rewarded.toSorted((one, other) => one.reward - other.reward);
  const low = Math.min(0, ...sorted.map(({ reward }) => reward));
  const high = Math.max(0, ...sorted.map(({ reward }) => reward));
  const toY = (reward: number): number => ((high - reward) / (high - low || 1)) * height;
  const width = sorted.length * step;
  return (
    <figure className={styles.strip}>
      <figcaption className={styles.muted}>{label}</figcaption>
      <svg role="img" aria-label={label} viewBox={`0 -2 ${width} ${height + 4}`} width={width} height={height + 4}>
        {sorted.map(({ id, reward }, at) => (
          <rect
            key={id}
            x={at * step}
            y={Math.min(toY(reward), toY(0)) - (reward === 0 ? 1 : 0)}
            width={bar}
            height={Math.max(2, Math.abs(toY(reward) - toY(0)))}
            rx="2"
          >
            <title>{`${id}: ${formatReward(reward)}`}</title>
          </rect>
        ))}
        <line x1="0" x2={width} y1={toY(0)} y2={toY(0)} />
      </svg>
    </figure>
  );
}
