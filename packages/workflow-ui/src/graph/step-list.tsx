import { StatusShape, classNames } from '@weir/ui-kit';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent, type ReactElement } from 'react';
import { useAppMessages } from '../parts/text/app-messages';
import { useGraphMessages } from './graph-messages';
import type { GraphStep } from './graph-step';
import styles from './graph.module.css';

const rowPx = 32;

export interface StepListProps {
  readonly steps: readonly GraphStep[];
  readonly selected?: string | undefined;
  readonly onSelect: (name: string) => void;
}

/** Any number of steps in a list: the graph for people who do not see it. */
export function StepList({ steps, selected, onSelect }: StepListProps): ReactElement {
  const t = useGraphMessages();
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: steps.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 10,
  });
  const index = steps.findIndex(({ name }) => name === selected);
  useEffect(() => {
    if (index >= 0) rows.scrollToIndex(index);
  }, [index, rows]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: steps.length - 1,
    };
    const move = moves[event.key];
    const next = move === undefined ? undefined : steps[Math.min(steps.length - 1, Math.max(0, move))];
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.name);
  };
  return (
    <div
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label={t('graph.list')}
      {...(index < 0 ? {} : { 'aria-activedescendant': optionId(index) })}
      className={styles.list}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: rows.getTotalSize() }} className={styles.rows}>
        {rows.getVirtualItems().map(({ index: place, start }) => {
          const step = steps[place];
          if (step === undefined) return null;
          const row = { step, place, start, count: steps.length, isSelected: place === index, onSelect };
          return <StepRow key={step.name} {...row} />;
        })}
      </div>
    </div>
  );
}

interface StepRowProps {
  readonly step: GraphStep;
  readonly place: number;
  /** The distance from the top of the list. */
  readonly start: number;
  readonly count: number;
  readonly isSelected: boolean;
  readonly onSelect: (name: string) => void;
}

function StepRow({ step, place, start, count, isSelected, onSelect }: StepRowProps): ReactElement {
  const app = useAppMessages();
  const { name, status, kind } = step;
  return (
    <div
      id={optionId(place)}
      role="option"
      aria-selected={isSelected}
      aria-setsize={count}
      aria-posinset={place + 1}
      style={{ transform: `translateY(${start}px)` }}
      className={classNames(styles.row, isSelected && styles.selectedRow)}
      onClick={() => onSelect(name)}
    >
      {status === undefined ? null : <StatusShape kind={status} label={app(`app.status.${status}`)} />}
      <span className={styles.name}>{name}</span>
      {kind === undefined ? null : <span className={styles.rowKind}>{kind}</span>}
    </div>
  );
}

const optionId = (index: number): string => `step-option-${index}`;
