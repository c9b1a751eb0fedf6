import type { ReactElement } from 'react';
import { classNames } from '../class-names';
import { statusTones, type StatusKind } from './status-kind';
import styles from './status.module.css';

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round' } as const;

const ring = <circle cx="8" cy="8" r="5.5" {...stroke} strokeDasharray="24 11" />;

const shapes: Readonly<Record<StatusKind, ReactElement>> = {
  succeeded: <path d="M3 8.5l3.5 3.5L13 4.5" {...stroke} strokeWidth={2.4} strokeLinejoin="round" />,
  partially_succeeded: (
    <>
      <path d="M3 8.5l3.5 3.5" {...stroke} strokeWidth={2.4} />
      <path d="M6.5 12L13 4.5" {...stroke} strokeDasharray="1 3.2" />
    </>
  ),
  failed: <path d="M4 4l8 8M12 4l-8 8" {...stroke} strokeWidth={2.4} />,
  rejected: (
    <>
      <circle cx="8" cy="8" r="5.5" {...stroke} />
      <path d="M4.2 4.2l7.6 7.6" {...stroke} />
    </>
  ),
  running: ring,
  retrying: (
    <>
      {ring}
      <path d="M8 5.5v3l2 1.2" {...stroke} strokeWidth={1.6} />
    </>
  ),
  waiting: (
    <path
      d="M4.5 8.5V5M7 8V3.5M9.5 8V3.5M12 8.5V5M4.5 8c-1.4-.8-2.4.2-1.6 1.4l2 3.3c.5.8 1.3 1.3 2.3 1.3h2c1.6 0 2.8-1.3 2.8-2.9V8.5"
      {...stroke}
      strokeWidth={1.7}
      strokeLinejoin="round"
    />
  ),
  queued: <path d="M4 2.5h8M4 13.5h8M5 2.5c0 3.5 6 4.5 6 11M11 2.5c0 3.5-6 4.5-6 11" {...stroke} strokeWidth={1.7} />,
  skipped: <path d="M2.5 11c1-6 7.5-7 10-2.5M12.8 4.5v4.2H8.6" {...stroke} strokeLinejoin="round" />,
  aborted: <rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" />,
  not_started: <circle cx="8" cy="8" r="4.5" {...stroke} strokeWidth={1.6} strokeDasharray="1.5 2.2" />,
};

interface StatusShapeProps {
  readonly kind: StatusKind;
  /** Spoken for people who do not see it. Omit it where the name stands beside the shape. */
  readonly label?: string | undefined;
  readonly size?: number;
}

/** The shape of a status in its colour. */
export function StatusShape({ kind, label, size = 16 }: StatusShapeProps): ReactElement {
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  const isMoving = kind === 'running' || kind === 'retrying';
  return (
    <svg
      {...named}
      viewBox="0 0 16 16"
      width={size}
      height={size}
      className={classNames(styles.shape, isMoving && styles.moving)}
      data-tone={statusTones[kind]}
    >
      {label === undefined ? null : <title>{label}</title>}
      {shapes[kind]}
    </svg>
  );
}

interface StatusNameProps {
  readonly kind: StatusKind;
  readonly name: string;
}

/** The shape of a status and its name. */
export function StatusName({ kind, name }: StatusNameProps): ReactElement {
  return (
    <span className={styles.name} data-tone={statusTones[kind]}>
      <StatusShape kind={kind} />
      {name}
    </span>
  );
}
