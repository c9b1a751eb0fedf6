import { useVirtualizer } from '@tanstack/react-virtual';
import { classNames } from '@weir/ui-kit';
import { formatDuration } from '@weir/ui-kit/app';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { useIsNarrow } from '../../../parts/use-is-narrow';
import { listAttempts } from '../journal/list-attempts';
import { useJournal } from '../journal/journal-query';
import type { RunAddress } from '../../../parts/run/run-address';
import { isActive, type Run } from '../../../parts/run/run-data';
import { useRunMessages } from '../../../parts/run/run-messages';
import type { StepRow } from '../../../parts/run/step-rows';
import { listBars, rangeOf, type BarKind } from './bars';
import { createTimeScale, type TimeScale } from './time-scale';
import { TimelineRow } from './timeline-row';
import styles from './timeline.module.css';

export interface TimelineProps {
  readonly address: RunAddress;
  readonly run: Run;
  readonly rows: readonly StepRow[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  /** Changes whenever the run has changed. */
  readonly version: number;
}

const rowHeight = 32;

/** The parts of a run's time: waits, attempts and the gaps between them, all on one scale. */
export function Timeline({ address, run, rows, selected, onSelect, version }: TimelineProps): ReactElement {
  const t = useRunMessages();
  const now = useNow(isActive(run));
  const { data: journal } = useJournal(address, version);
  const entries = journal?.entries;
  const attempts = useMemo(() => listAttempts(entries ?? []), [entries]);
  const bars = useMemo(() => listBars({ run, rows, attempts, now }), [run, rows, attempts, now]);
  const isNarrow = useIsNarrow();
  const scale = useMemo(() => createTimeScale(rangeOf(run, now), isNarrow ? 3 : 6), [run, now, isNarrow]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 800, height: 600 },
  });
  const selectedIndex = rows.findIndex(({ id }) => id === selected);
  useEffect(() => {
    if (selectedIndex >= 0) virtual.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [virtual, selectedIndex]);
  return (
    <div className={styles.timeline}>
      <Axis scale={scale} />
      <div
        ref={scroller}
        role="listbox"
        tabIndex={0}
        aria-label={t('run.view.timeline')}
        aria-activedescendant={selectedIndex < 0 ? undefined : `timeline-${selectedIndex}`}
        className={styles.scroller}
        onKeyDown={(event) => selectByKey(event, { rows, selectedIndex, onSelect })}
      >
        <div role="presentation" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
          <QueueBar run={run} scale={scale} />
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <TimelineRow
                key={row.id}
                {...{ row, scale, index }}
                bars={bars.get(row.id) ?? []}
                top={start}
                isSelected={index === selectedIndex}
                onSelect={() => onSelect(row.id)}
              />
            );
          })}
        </div>
      </div>
      <TimelineLegend />
    </div>
  );
}

interface KeyTarget extends Pick<TimelineProps, 'rows' | 'onSelect'> {
  readonly selectedIndex: number;
}

function selectByKey(event: KeyboardEvent, { rows, selectedIndex, onSelect }: KeyTarget): void {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: Math.min(rows.length - 1, selectedIndex + 1),
    ArrowUp: Math.max(0, selectedIndex - 1),
    Home: 0,
    End: rows.length - 1,
  };
  const row = rows[targets[event.key] ?? -1];
  if (row === undefined) return;
  event.preventDefault();
  onSelect(row.id);
}

function Axis({ scale: { ticks } }: { readonly scale: TimeScale }): ReactElement {
  return (
    <div aria-hidden className={styles.axis}>
      <div className={styles.lane}>
        {ticks.map(({ at, ms }) => (
          <span key={ms} className={styles.tick} style={{ insetInlineStart: `${at * 100}%` }}>
            {ms === 0 ? '0' : formatDuration(ms)}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The time that the run itself waited in its queue, behind all rows. */
function QueueBar({ run, scale }: { readonly run: Run; readonly scale: TimeScale }): ReactElement | null {
  const t = useRunMessages();
  const started = run.startedAt === '' ? 1 : scale.place(Date.parse(run.startedAt));
  if (started < 0.01) return null;
  return (
    <div className={styles.queueLane}>
      <span className={styles.queue} title={t('run.bar.queue')} style={{ width: `${started * 100}%` }} />
    </div>
  );
}

/** Returns the time, which advances every second while the run is active. */
function useNow(isActive: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    if (!isActive) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isActive]);
  return now;
}

const kinds: readonly BarKind[] = ['wait', 'run', 'gap', 'person'];

/** Explains the parts of the bars. */
function TimelineLegend(): ReactElement {
  const t = useRunMessages();
  return (
    <ul className={styles.legend}>
      {kinds.map((kind) => (
        <li key={kind}>
          <span aria-hidden className={classNames(styles.bar, styles.sample, styles[kind])} data-tone="success" />
          {t(`run.bar.${kind}`)}
        </li>
      ))}
    </ul>
  );
}
