import { Time } from '@weir/ui-kit/app';
import { Suspense, useEffect, useMemo, useRef, type ReactElement, type ReactNode } from 'react';
import { Duration } from '../../../parts/duration';
import { lazyPart } from '../../../parts/lazy-part';
import { RunStatus } from '../../../parts/run-status';
import type { RunAddress } from '../../../parts/run/run-address';
import { isActive, type Run } from '../../../parts/run/run-data';
import { useRunMessages } from '../../../parts/run/run-messages';
import type { StepRow } from '../../../parts/run/step-rows';
import { listAttempts } from '../journal/list-attempts';
import { useJournal } from '../journal/journal-query';
import { journalName } from '../timeline/bars';
import { RetryFromButton } from './retry-from-button';
import { WhyPanel } from '../why/why-panel';
import { LogTail } from './log-tail';
import { Part } from './part';
import { StepAttempts } from './step-attempts';
import { StepDecision } from './step-decision';
import { StepDefinition } from './step-definition';
import styles from './step-panel.module.css';

const BypassPreconditions = lazyPart(() => import('./bypass-preconditions'), 'BypassPreconditions');
const AgentDecisions = lazyPart(() => import('./agent-decisions'), 'AgentDecisions');
const ModelUse = lazyPart(() => import('../model-use'), 'ModelUse');
const StepChildren = lazyPart(() => import('./step-children'), 'StepChildren');

export interface StepPanelProps {
  readonly address: RunAddress;
  readonly run: Run;
  readonly row: StepRow;
  readonly onSelect: (id: string) => void;
  /** Changes whenever the run has changed. */
  readonly version: number;
}

/** Statuses of a step that is held up; a step that waits for a person shows its form instead. */
const held: ReadonlySet<string> = new Set(['not_started', 'retrying']);

/** The selected step: its result, the end of its log, and its definition. */
export function StepPanel({ address, run, row, onSelect, version }: StepPanelProps): ReactElement {
  const t = useRunMessages();
  const { node, name, handler } = row;
  const {
    startedAt,
    finishedAt,
    statusLabel,
    exitCode,
    retryCount,
    build,
    modelUse,
    agent,
    preconditionsBypassed,
    error = '',
  } = node;
  const hasBegun = startedAt !== '';
  const panel = useRef<HTMLElement>(null);
  const shown = useRef(row.id);
  useEffect(() => {
    if (shown.current === row.id) return;
    shown.current = row.id;
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, [row.id]);
  return (
    <section ref={panel} aria-labelledby="selected-step" className={styles.panel}>
      <header className={styles.head}>
        <h2 id="selected-step">{name}</h2>
        <RunStatus status={statusLabel} />
        {handler === undefined ? null : <span className={styles.muted}>{t(`run.handler.${handler}`)}</span>}
      </header>
      {hasBegun ? (
        <p className={styles.facts}>
          <span>
            {t('run.started')} <Time value={startedAt} />
          </span>
          <span>
            <Duration startedAt={startedAt} finishedAt={finishedAt} />
          </span>
          {build === undefined ? null : <span>{t(`run.build.${build}`)}</span>}
          {exitCode === undefined ? null : <span>{t('run.exitCode', { code: exitCode })}</span>}
          {retryCount === 0 ? null : <span>{t('run.retries', { count: retryCount })}</span>}
        </p>
      ) : null}
      {error === '' ? null : (
        <div role="group" aria-label={t('run.error')} className={statusLabel === 'failed' ? styles.error : styles.note}>
          {error}
        </div>
      )}
      {preconditionsBypassed === undefined ? null : (
        <p className={styles.note}>{t('run.bypassed', preconditionsBypassed)}</p>
      )}
      <StepDecision {...{ address, run, node }} />
      {isActive(run) && held.has(statusLabel) ? <WhyPanel {...{ address, version, onSelect }} step={name} /> : null}
      {agent === undefined ? null : (
        <Suspense>
          <AgentDecisions agent={agent} />
        </Suspense>
      )}
      {modelUse === undefined ? null : (
        <Suspense>
          <ModelUse uses={modelUse} />
        </Suspense>
      )}
      {hasChildren(node) ? (
        <Suspense>
          <StepChildren {...{ address, node, version }} />
        </Suspense>
      ) : null}
      {hasBegun ? (
        <StepLog isFolded={hasChildren(node)}>
          <LogTail key={name} address={address} row={row} />
        </StepLog>
      ) : null}
      {isActive(run) || address.sub !== undefined || handler !== undefined ? null : (
        <RetryFromButton {...{ address, run }} step={name} />
      )}
      {!isActive(run) && address.sub === undefined && isHeldBack(row) ? (
        <Suspense>
          <BypassPreconditions key={name} {...{ address, run }} step={name} />
        </Suspense>
      ) : null}
      {hasBegun ? <Attempts {...{ address, run, row, version }} /> : null}
      <StepDefinition step={node.step} onSelect={onSelect} />
    </section>
  );
}

/** Whether the step of the DAG was skipped for a condition of its own. */
function isHeldBack({ node: { statusLabel, step }, handler }: StepRow): boolean {
  return handler === undefined && statusLabel === 'skipped' && (step.preconditions ?? []).length > 0;
}

/** Whether the step has run other DAGs, so that its log repeats the list above it as JSON. */
function hasChildren({ subRuns = [], subRunsRepeated = [] }: Run['nodes'][number]): boolean {
  return subRuns.length > 0 || subRunsRepeated.length > 0;
}

interface StepLogProps {
  readonly isFolded: boolean;
  readonly children: ReactNode;
}

function StepLog({ isFolded, children }: StepLogProps): ReactElement {
  const t = useRunMessages();
  if (!isFolded) return <Part title={t('run.log.title')}>{children}</Part>;
  return (
    <details className={styles.fold}>
      <summary>{t('run.log.title')}</summary>
      <div className={styles.part}>{children}</div>
    </details>
  );
}

function Attempts({ address, run, row, version }: Omit<StepPanelProps, 'onSelect'>): ReactElement {
  const { data } = useJournal(address, version);
  const entries = data?.entries;
  const attempts = useMemo(() => listAttempts(entries ?? []), [entries]);
  const position = run.nodes.findIndex(({ step }) => row.handler === undefined && step.name === row.name);
  const isAgent = row.node.agent !== undefined;
  return <StepAttempts name={journalName(row)} {...{ position, attempts, isAgent }} />;
}
