import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactElement, type ReactNode } from 'react';
import styles from './split-pane.module.css';

interface SplitPaneProps {
  readonly first: ReactNode;
  readonly second: ReactNode;
  /** The name of the divider. */
  readonly label: string;
  /** The width of the first pane in per cent. */
  readonly initialShare?: number;
}

const smallest = 15;
const clamp = (share: number): number => Math.min(100 - smallest, Math.max(smallest, share));

/** Two panes side by side with a movable border; one below the other where the space is narrow. */
export function SplitPane({ first, second, label, initialShare = 50 }: SplitPaneProps): ReactElement {
  const [share, setShare] = useState(clamp(initialShare));
  const container = useRef<HTMLDivElement>(null);

  const follow = (event: PointerEvent<HTMLDivElement>): void => {
    const box = container.current?.getBoundingClientRect();
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    setShare(clamp(((event.clientX - box.left) / box.width) * 100));
  };
  const move = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: share - 2, ArrowRight: share + 2, Home: 0, End: 100 };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setShare(clamp(next));
  };
  return (
    <div ref={container} className={styles.panes}>
      <div className={styles.pane} style={{ flexBasis: `${share}%` }}>
        {first}
      </div>
      <div
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation="vertical"
        aria-valuenow={Math.round(share)}
        aria-valuemin={smallest}
        aria-valuemax={100 - smallest}
        className={styles.divider}
        onKeyDown={move}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={follow}
      />
      <div className={styles.pane} style={{ flexBasis: `${100 - share}%` }}>
        {second}
      </div>
    </div>
  );
}
