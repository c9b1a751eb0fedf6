import { formatDuration, Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { RunStatus } from '../../../parts/run-status';
import type { Attempt, AttemptsByStep } from '../journal/list-attempts';
import { useRunMessages } from '../../../parts/run/run-messages';
import { Part } from './part';
import styles from './step-panel.module.css';

export interface StepAttemptsProps {
  /** Name of the step in the journal. */
  readonly name: string;
  /** Index of the step; the journal uses it to name the steps of its loop. */
  readonly position: number;
  readonly attempts: AttemptsByStep;
  /** The runs of an agent's steps are listed as its decisions. */
  readonly isAgent: boolean;
}

/** The attempts of a step with several, and the iterations of a loop. */
export function StepAttempts({ name, position, attempts, isAgent }: StepAttemptsProps): ReactElement | null {
  const t = useRunMessages();
  const own = attempts.get(name) ?? [];
  const turns = isAgent ? [] : listTurns(position, attempts);
  return (
    <>
      {own.length < 2 ? null : (
        <Part title={t('run.attempts', { count: own.length })}>
          <AttemptList attempts={own.map((attempt) => ({ attempt, name: t('run.attempt', { ...attempt }) }))} />
        </Part>
      )}
      {turns.length === 0 ? null : (
        <Part title={t('run.turns', { count: turns.length })}>
          {turns.map(({ turn, steps }) => (
            <details key={turn} className={styles.turn} open={turns.length === 1}>
              <summary>
                {t('run.turn', { number: turn + 1 })}{' '}
                <RunStatus isShort status={toStatus(steps.find(isFailed)?.attempt ?? steps.at(-1)?.attempt)} />
              </summary>
              <AttemptList attempts={steps} />
            </details>
          ))}
        </Part>
      )}
    </>
  );
}

interface NamedAttempt {
  readonly name: string;
  readonly attempt: Attempt;
}

function AttemptList({ attempts }: { readonly attempts: readonly NamedAttempt[] }): ReactElement {
  const t = useRunMessages();
  return (
    <ul className={styles.list}>
      {attempts.map(({ name, attempt }) => (
        <li key={`${name}${attempt.startedAt}`} className={styles.child}>
          <RunStatus status={toStatus(attempt)} isShort />
          <span>{name}</span>
          <span className={styles.muted}>
            <Time value={new Date(attempt.startedAt).toISOString()} />
          </span>
          {attempt.exitCode === undefined ? null : (
            <span className={styles.muted}>{t('run.exitCode', { code: attempt.exitCode })}</span>
          )}
          <span className={styles.end}>
            {attempt.endedAt === undefined ? null : formatDuration(attempt.endedAt - attempt.startedAt)}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface Turn {
  readonly turn: number;
  readonly steps: readonly NamedAttempt[];
}

/** The journal names a step of a loop by the position of the loop, the iteration and its own name. */
function listTurns(position: number, attempts: AttemptsByStep): readonly Turn[] {
  const prefix = `${position}/`;
  const turns = new Map<number, NamedAttempt[]>();
  for (const [key, own] of attempts) {
    const [, number, name] = /^(\d+)\/(.+)$/.exec(key.startsWith(prefix) ? key.slice(prefix.length) : '') ?? [];
    if (number === undefined || name === undefined) continue;
    const steps = turns.get(Number(number)) ?? [];
    turns.set(Number(number), [...steps, ...own.map((attempt) => ({ name, attempt }))]);
  }
  return [...turns].sort(([one], [other]) => one - other).map(([turn, steps]) => ({ turn, steps }));
}

const isFailed = ({ attempt }: NamedAttempt): boolean => attempt.status === 'failed';

const known = ['succeeded', 'failed', 'aborted', 'skipped', 'partially_succeeded', 'rejected'] as const;

function toStatus(attempt: Attempt | undefined): (typeof known)[number] | 'running' | 'waiting' {
  if (attempt?.waitsSince !== undefined && attempt.endedAt === undefined) return 'waiting';
  return known.find((status) => status === attempt?.status) ?? 'running';
}
