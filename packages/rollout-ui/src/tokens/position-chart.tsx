import { useMemo, type MouseEvent, type ReactElement } from 'react';
import type { TokenPath } from '../api/read-tokens';
import styles from './tokens.module.css';

const maxBins = 240;
const height = 36;

export interface PositionChartProps {
  readonly label: string;
  readonly path: TokenPath;
  readonly active: number | undefined;
  readonly onJump: (at: number) => void;
}

/** The least probable token at each position of the path: how low a line hangs shows where to look. */
export function PositionChart({ label, path, active, onJump }: PositionChartProps): ReactElement {
  const bins = useMemo(() => toBins(path), [path]);
  const jump = (event: MouseEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const bin = bins[Math.floor(((event.clientX - box.left) / box.width) * bins.length)];
    if (bin !== undefined) onJump(bin.at);
  };
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${bins.length} ${height}`}
      preserveAspectRatio="none"
      className={styles.chart}
      onClick={jump}
    >
      {bins.map(({ probability }, at) =>
        probability === undefined ? null : (
          <rect key={at} x={at} width="0.8" y="0" height={Math.max(1, (1 - probability) * height)} />
        ),
      )}
      {active === undefined ? null : (
        <rect x={(active / Math.max(1, path.count)) * bins.length} width="1" height={height} className={styles.here} />
      )}
    </svg>
  );
}

interface Bin {
  /** The least probable token in it, else its first. */
  readonly at: number;
  readonly probability: number | undefined;
}

function toBins({ logprobs, count }: TokenPath): readonly Bin[] {
  const bins = Math.min(maxBins, Math.max(1, count));
  return Array.from({ length: bins }, (_, bin): Bin => {
    const from = Math.floor((bin * count) / bins);
    const to = Math.floor(((bin + 1) * count) / bins);
    let lowest = from;
    for (let at = from; at < to; at += 1) {
      // No number is below NaN, which stands for what was not sampled.
      if ((logprobs[at] ?? 0) < (logprobs[lowest] ?? 0) || Number.isNaN(logprobs[lowest])) lowest = at;
    }
    const logprob = logprobs[lowest] ?? Number.NaN;
    return { at: lowest, probability: Number.isNaN(logprob) ? undefined : Math.exp(logprob) };
  });
}
