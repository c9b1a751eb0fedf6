import { statusTones } from '@weir/ui-kit';
import { formatDuration, useTimeFormat, type TimeFormat } from '@weir/ui-kit/app';
import { useEffect, useRef, type ReactElement } from 'react';
import type uPlot from 'uplot';
import './chart.css';
import type { Schemas } from '../../../api/client';
import { statusKindOf } from '../../../api/status';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { durationOf, summariseRuns } from '../../../parts/run/run-statistics';
import styles from './overview.module.css';

export type ChartLibrary = typeof uPlot;

export interface DurationChartProps {
  /** The ended runs, newest first. */
  readonly runs: readonly Schemas['DAGRunDetails'][];
  readonly library: ChartLibrary | 'loading';
}

const height = 160;

/** A bar for each run in the colour of its status, with the median and the 95th percentile as lines. */
export function DurationChart({ runs, library }: DurationChartProps): ReactElement {
  const t = useDagMessages();
  const format = useTimeFormat();
  const box = useRef<HTMLDivElement>(null);
  const { medianMs, slowMs } = summariseRuns(runs);
  const label = t('dag.durations.chart', {
    count: runs.length,
    median: formatDuration(medianMs ?? 0),
    slow: formatDuration(slowMs ?? 0),
  });
  useEffect(() => {
    const element = box.current;
    if (element === null || library === 'loading') return undefined;
    let chart: uPlot | undefined;
    const draw = (): void => {
      chart?.destroy();
      const oldestFirst = [...runs].reverse();
      chart = new library(toOptions(element, oldestFirst, { library, format }), toData(oldestFirst), element);
    };
    draw();
    return whenLookChanges(element, draw, () => chart?.destroy());
  }, [library, runs, format]);
  return (
    <>
      <div ref={box} role="img" aria-label={label} style={{ height }} className={styles.chart} />
      <p aria-hidden hidden={medianMs === undefined} className={styles.legend}>
        <span className={styles.median}>{t('dag.figures.median')}</span>
        <span className={styles.slow}>{t('dag.figures.slow')}</span>
      </p>
    </>
  );
}

type Runs = DurationChartProps['runs'];

function toData(runs: Runs): uPlot.AlignedData {
  const { medianMs, slowMs } = summariseRuns(runs);
  return [
    runs.map((_, index) => index),
    runs.map((run) => (durationOf(run) ?? 0) / 1000),
    runs.map(() => (medianMs === undefined ? null : medianMs / 1000)),
    runs.map(() => (slowMs === undefined ? null : slowMs / 1000)),
  ];
}

interface Drawing {
  readonly library: ChartLibrary;
  readonly format: TimeFormat;
}

function toOptions(element: HTMLElement, runs: Runs, { library, format }: Drawing): uPlot.Options {
  const colour = (variable: string): string => resolveColour(element, variable);
  const fills = runs.map(({ statusLabel }) => colour(`--status-${statusTones[statusKindOf(statusLabel)]}`));
  const axis: uPlot.Axis = {
    stroke: colour('--text-muted'),
    font: `12px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: colour('--border'), width: 1 },
    ticks: { show: false },
  };
  const line = (stroke: string, dash: number[]): uPlot.Series => ({
    stroke,
    dash,
    width: 1.5,
    points: { show: false },
  });
  const bars = library.paths.bars?.({
    size: [0.7, 24],
    radius: 0.15,
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the enum, here "Color", exists as a type only
    disp: { fill: { unit: 3, values: () => fills } },
  });
  const timeAt = (index: number): string => {
    const run = runs[index];
    return run === undefined ? '' : format.short(new Date(run.startedAt));
  };
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-0.6, Math.max(runs.length, 8) - 0.4] },
      y: { range: (_, __, most) => [0, (most || 1) * 1.1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 130,
        incrs: [1, 2, 5, 10, 20, 50],
        values: (_, splits) => splits.map(timeAt),
      },
      { ...axis, size: 60, values: (_, splits) => splits.map((seconds) => formatDuration(seconds * 1000)) },
    ],
    series: [
      {},
      {
        ...(bars === undefined ? {} : { paths: bars }),
        fill: colour('--status-none'),
        width: 0,
        points: { show: false },
      },
      line(colour('--text-muted'), [4, 4]),
      line(colour('--accent'), [2, 3]),
    ],
  };
}

/** A canvas does not know the custom properties, so they are resolved as the colour of an element. */
function resolveColour(element: HTMLElement, variable: string): string {
  element.style.color = `var(${variable})`;
  return getComputedStyle(element).color;
}

/** Draws again when the width or the theme changes. */
function whenLookChanges(element: HTMLElement, draw: () => void, onEnd: () => void): () => void {
  let width = element.clientWidth;
  const sizes = new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    draw();
  });
  sizes.observe(element);
  const themes = matchMedia('(prefers-color-scheme: dark)');
  themes.addEventListener('change', draw);
  const attributes = new MutationObserver(draw);
  attributes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    sizes.disconnect();
    themes.removeEventListener('change', draw);
    attributes.disconnect();
    onEnd();
  };
}
