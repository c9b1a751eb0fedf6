import { Link } from '@tanstack/react-router';
import { Facts } from '@weir/ui-kit';
import { QueryPanel, Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { useLiveQuery } from '../../api/live-query';
import { Duration } from '../../parts/duration';
import { paramsText } from '../../parts/params/params-text';
import { PeekPane } from '../../parts/peek/peek-pane';
import { RunStatus } from '../../parts/run-status';
import { useStartedBy } from '../../parts/started-by/use-started-by';
import { isActive, runSource } from '../../parts/run/run-data';
import { findOpeningStep, listStepRows, type StepRow } from '../../parts/run/step-rows';
import { useLogTail } from '../../parts/run/log-tail-query';
import { useRunListMessages } from './run-list-messages';
import styles from '../../parts/peek/peek.module.css';

export interface RunPeekProps {
  /** The name of its DAG, a slash and its id. */
  readonly run: string;
  readonly onClose: () => void;
}

/** A summary of a run: its status, and its most important step. */
export function RunPeek({ run, onClose }: RunPeekProps): ReactElement {
  const t = useRunListMessages();
  const [name = '', runId = ''] = run.split('/');
  const query = useLiveQuery(runSource({ name, runId }));
  return (
    <PeekPane
      label={t('runs.peek', { name })}
      onClose={onClose}
      open={
        <Link to="/dag-runs/$name/$runId" params={{ name, runId }}>
          {t('runs.peek.open')}
        </Link>
      }
    >
      <QueryPanel query={query}>{({ dagRunDetails }) => <Content run={dagRunDetails} />}</QueryPanel>
    </PeekPane>
  );
}

function Content({ run }: { readonly run: Schemas['DAGRunDetails'] }): ReactElement {
  const t = useRunListMessages();
  const sayStartedBy = useStartedBy();
  const { name, dagRunId: runId, statusLabel, startedAt, finishedAt, params = '', labels = [] } = run;
  const rows = listStepRows(run);
  const row = findOpeningStep(rows);
  return (
    <>
      <p className={styles.line}>
        <RunStatus status={statusLabel} />
        <Time value={startedAt} />
        <Duration startedAt={startedAt} finishedAt={finishedAt} />
      </p>
      <Facts
        facts={[
          { name: t('runs.id'), value: <code>{runId}</code> },
          { name: t('runs.startedBy'), value: sayStartedBy(run) },
          ...(params === '' ? [] : [{ name: t('runs.params'), value: <code>{paramsText(params)}</code> }]),
          ...(labels.length === 0 ? [] : [{ name: t('runs.peek.labels'), value: labels.join(', ') }]),
        ]}
      />
      <h3>{t('runs.peek.steps')}</h3>
      <ul className={styles.steps}>
        {rows.map(({ id, name: step, node }) => (
          <li key={id}>
            <RunStatus status={node.statusLabel} isShort />
            <Link to="/dag-runs/$name/$runId" params={{ name, runId }} search={{ step: id }}>
              {step}
            </Link>
          </li>
        ))}
      </ul>
      {row === undefined ? null : <LastLines run={run} row={row} />}
    </>
  );
}

function LastLines({ run, row }: { readonly run: Schemas['DAGRunDetails']; readonly row: StepRow }): ReactElement {
  const t = useRunListMessages();
  const { node, name: step } = row;
  const query = useLogTail({
    address: { name: run.name, runId: run.dagRunId },
    step,
    isActive: isActive(run),
    version: `${node.statusLabel}${node.retryCount}${node.doneCount}`,
  });
  const title = t('runs.peek.log', { step });
  return (
    <>
      <h3>{title}</h3>
      {node.error === undefined || node.error === '' ? null : <p className={styles.error}>{node.error}</p>}
      <QueryPanel query={query}>
        {({ lines }) =>
          lines.length === 0 ? (
            <p className={styles.muted}>{t('runs.peek.log.none')}</p>
          ) : (
            <pre tabIndex={0} role="region" aria-label={title} className={styles.log}>
              {lines.map(({ text }) => `${text}\n`).join('')}
            </pre>
          )
        }
      </QueryPanel>
    </>
  );
}
