import { CircleAlert, Lock, WifiOff } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../button/button';
import styles from './states.module.css';

interface SkeletonProps {
  readonly label: string;
  readonly rows?: number;
}

/** Shown while data is loaded. It appears after a moment, so that quick answers do not flicker. */
export function Skeleton({ label, rows = 6 }: SkeletonProps): ReactElement {
  return (
    <div role="status" aria-label={label} className={styles.skeleton}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={styles.bar} />
      ))}
    </div>
  );
}

interface EmptyStateProps {
  readonly title: string;
  /** The level is 1 for a whole screen. Default: 2. */
  readonly level?: 1 | 2;
  readonly children?: ReactNode;
  /** The one next action. */
  readonly action?: ReactNode;
  readonly icon?: ReactNode;
}

/** Explains why there is no data, and what to do next. */
export function EmptyState({ title, level = 2, children, action, icon }: EmptyStateProps): ReactElement {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className={styles.state}>
      {icon}
      <Heading>{title}</Heading>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {action}
    </div>
  );
}

export interface ErrorStateProps {
  /** A sentence that names the object. */
  readonly message: string;
  /** The id of the request in the log of the server. */
  readonly requestId?: string | undefined;
  readonly requestIdLabel: string;
  readonly retryLabel: string;
  readonly onRetry?: (() => void) | undefined;
}

/** Describes a failure in place of the data. */
export function ErrorState(props: ErrorStateProps): ReactElement {
  const { message, requestId, requestIdLabel, retryLabel, onRetry } = props;
  return (
    <div role="alert" className={styles.state}>
      <CircleAlert aria-hidden size={24} className={styles.failed} />
      <p className={styles.text}>{message}</p>
      {requestId === undefined ? null : (
        <p className={styles.small}>
          {requestIdLabel} <code>{requestId}</code>
        </p>
      )}
      {onRetry === undefined ? null : <Button onPress={onRetry}>{retryLabel}</Button>}
    </div>
  );
}

interface NoPermissionProps {
  readonly title: string;
  /** Names the needed role. */
  readonly children: ReactNode;
}

/** Shown where the caller's role is not enough. */
export function NoPermission({ title, children }: NoPermissionProps): ReactElement {
  return (
    <EmptyState title={title} icon={<Lock aria-hidden size={24} />}>
      {children}
    </EmptyState>
  );
}

interface StaleBarProps {
  readonly message: string;
  readonly refreshLabel: string;
  readonly onRefresh: () => void;
}

/** Warns that the shown data may be old. The page below stays usable. */
export function StaleBar({ message, refreshLabel, onRefresh }: StaleBarProps): ReactElement {
  return (
    <div role="status" className={styles.stale}>
      <WifiOff aria-hidden size={16} />
      <span>{message}</span>
      <Button onPress={onRefresh}>{refreshLabel}</Button>
    </div>
  );
}
