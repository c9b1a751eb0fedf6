import { Link } from '@tanstack/react-router';
import { Table, type TableColumn, type TableSelection } from '@weir/ui-kit';
import { formatDuration, Time, defineMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { Duration } from '../duration';
import { paramsText } from '../params/params-text';
import { queueWaitMs } from '../queue-wait';
import { RunStatus } from '../run-status';
import { TriggerText } from '../started-by/trigger-text';
import { RetryButton, StopButton } from '../run-buttons/run-buttons';
import { isActive } from '../run/run-data';
import styles from './run-table.module.css';
import messages from './messages.json';

type Run = Schemas['DAGRunSummary'];

export interface RunTableProps {
  readonly runs: readonly Run[];
  /** Shows a run beside the list. */
  readonly onPeek?: (run: Run) => void;
  readonly selection?: TableSelection;
  /** Whether there is room for a column of the parameters, which are below the names otherwise. */
  readonly hasRoom?: boolean;
}

/** Returns a unique key of a run within a list. */
export function runKeyOf({ name, dagRunId }: Schemas['DAGRunName']): string {
  return `${name}/${dagRunId}`;
}

/** Lists runs, newest first. */
export function RunTable({ runs, onPeek, selection, hasRoom = false }: RunTableProps): ReactElement {
  const t = useRunTableMessages();
  const columns: readonly TableColumn<Run>[] = [
    { id: 'status', name: t('runs.status'), render: ({ statusLabel }) => <RunStatus status={statusLabel} /> },
    {
      id: 'name',
      name: t('runs.name'),
      isRowHeader: true,
      width: 'grow',
      render: ({ name, dagRunId, error, params }) => (
        <span className={styles.name}>
          <Link to="/dag-runs/$name/$runId" params={{ name, runId: dagRunId }} className={styles.link ?? ''}>
            {name}
          </Link>
          {error === undefined || error === '' ? null : <span className={styles.error}>{error}</span>}
          {hasRoom ? null : <Params params={params} />}
        </span>
      ),
    },
    { id: 'step', name: t('runs.step'), render: (run) => <ImportantStep run={run} /> },
    { id: 'id', name: t('runs.id'), render: ({ dagRunId }) => <RunId id={dagRunId} /> },
    { id: 'trigger', name: t('runs.trigger'), render: (run) => <TriggerText run={run} /> },
    ...(hasRoom
      ? [{ id: 'params', name: t('runs.params'), render: ({ params }: Run) => <Params params={params} /> }]
      : []),
    { id: 'started', name: t('runs.started'), render: ({ startedAt }) => <Time value={startedAt} /> },
    { id: 'wait', name: t('runs.wait'), align: 'end', render: (run) => <Wait run={run} /> },
    { id: 'duration', name: t('runs.duration'), align: 'end', render: (run) => <Duration {...run} /> },
    {
      id: 'actions',
      isButtons: true,
      name: t('runs.actions'),
      align: 'end',
      render: (run) => <RowActions run={run} />,
    },
  ];
  return (
    <Table
      label={t('runs.title')}
      items={runs}
      getId={runKeyOf}
      columns={columns}
      {...(onPeek === undefined ? {} : { onOpen: onPeek })}
      {...(selection === undefined ? {} : { selection })}
    />
  );
}

function Params({ params = '' }: Pick<Run, 'params'>): ReactElement | null {
  const text = paramsText(params);
  return text === '' ? null : (
    <code title={text} className={styles.params}>
      {text}
    </code>
  );
}

/** Shows how long the run waited for its start, or has waited until now. */
function Wait({ run }: { readonly run: Run }): ReactElement | null {
  const { statusLabel, queuedAt, createdAt = '' } = run;
  if (statusLabel === 'queued') {
    return (
      <span className={styles.muted}>
        <Duration startedAt={queuedAt ?? createdAt} finishedAt="" />
      </span>
    );
  }
  const ms = queueWaitMs(run);
  return ms === undefined ? null : <span className={styles.muted}>{formatDuration(ms)}</span>;
}

/** The most frequent actions on a run in its present status. */
function RowActions({ run }: { readonly run: Run }): ReactElement | null {
  const address = { name: run.name, runId: run.dagRunId };
  if (isActive(run)) return <StopButton isShort {...{ address, run }} />;
  return run.statusLabel === 'succeeded' ? null : <RetryButton isShort {...{ address, run }} />;
}

const shownEnds = 6;

/** Long ids show both ends, because the middle distinguishes them least. */
function RunId({ id }: { readonly id: string }): ReactElement {
  const isLong = id.length > 2 * shownEnds + 2;
  return (
    <code title={id} className={styles.muted}>
      {isLong ? `${id.slice(0, shownEnds)}…${id.slice(-shownEnds)}` : id}
    </code>
  );
}

/** The step that failed last, or the one that runs now. */
function ImportantStep({ run }: { readonly run: Run }): ReactElement | null {
  const t = useRunTableMessages();
  const { name, dagRunId: runId, failedStep, currentStep, currentStepCount = 0 } = run;
  const step = failedStep ?? currentStep;
  if (step === undefined) return null;
  return (
    <span>
      <Link
        to="/dag-runs/$name/$runId"
        params={{ name, runId }}
        search={{ step }}
        className={(failedStep === undefined ? styles.step : styles.failedStep) ?? ''}
      >
        {step}
      </Link>
      {currentStepCount < 2 ? null : (
        <span className={styles.muted}> {t('runs.step.more', { count: currentStepCount - 1 })}</span>
      )}
    </span>
  );
}

const useRunTableMessages = defineMessages(messages);
