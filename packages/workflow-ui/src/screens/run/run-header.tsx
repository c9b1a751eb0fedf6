import { Link } from '@tanstack/react-router';
import { CopyButton, ShortId } from '@weir/ui-kit';
import { Time, useTimeFormat } from '@weir/ui-kit/app';
import type { ReactElement, ReactNode } from 'react';
import { Duration } from '../../parts/duration';
import { paramsText } from '../../parts/params/params-text';
import { queueWaitMs } from '../../parts/queue-wait';
import { RunStatus } from '../../parts/run-status';
import type { RunAddress } from '../../parts/run/run-address';
import type { Run } from '../../parts/run/run-data';
import { RunTrigger } from './run-trigger';
import { useRunButtonMessages } from '../../parts/run-buttons/run-button-messages';
import { useRunMessages } from '../../parts/run/run-messages';
import styles from './run-header.module.css';

export interface RunHeaderProps {
  readonly address: RunAddress;
  readonly run: Run;
  /** The actions on the run. */
  readonly children: ReactNode;
}

/** The name, the status and the trigger of the run. */
export function RunHeader({ address, run, children }: RunHeaderProps): ReactElement {
  const t = useRunMessages();
  const ofButton = useRunButtonMessages();
  const { name, dagRunId, startedAt, finishedAt, params = '', labels = [] } = run;
  return (
    <header className={styles.header}>
      <title>{`${name} · ${t(`run.titleStatus.${run.statusLabel}`)} · Weir`}</title>
      <div className={styles.head}>
        <div className={styles.names}>
          <Breadcrumb address={address} run={run} />
          <h1 className={styles.title}>
            <DagLink run={run} />
            <span className={styles.id}>
              <ShortId id={dagRunId} />
            </span>
          </h1>
          <CopyButton text={dagRunId} label={t('run.copyId')} />
        </div>
        <div className={styles.actions}>{children}</div>
      </div>
      <dl className={styles.facts}>
        <Fact name={t('run.status')}>
          <RunStatus status={run.statusLabel} />
          {run.stopRequested === true ? <span className={styles.muted}>{ofButton('run.stopping')}</span> : null}
        </Fact>
        <Fact name={t('run.started')}>
          {startedAt === '' ? <span className={styles.muted}>{t('run.notStarted')}</span> : <Time value={startedAt} />}
        </Fact>
        {startedAt === '' ? null : (
          <Fact name={t('run.duration')}>
            <Duration startedAt={startedAt} finishedAt={finishedAt} />
          </Fact>
        )}
        <QueueWait run={run} />
        <Fact name={t('run.trigger')}>
          <RunTrigger run={run} />
        </Fact>
        {run.profile === undefined ? null : <Fact name={t('run.profile')}>{run.profile}</Fact>}
        {params === '' ? null : (
          <Fact name={t('run.params')}>
            <code className={styles.params} title={paramsText(params)}>
              {paramsText(params)}
            </code>
          </Fact>
        )}
        {labels.length === 0 ? null : (
          <Fact name={t('run.labels')}>
            {labels.map((label) => (
              <span key={label} className={styles.label}>
                {label}
              </span>
            ))}
          </Fact>
        )}
      </dl>
      {run.error === undefined || run.error === '' ? null : <p className={styles.error}>{run.error}</p>}
    </header>
  );
}

/** The name, which links to the DAG as long as its file exists. */
function DagLink({ run: { name, sourceFileName: fileName } }: { readonly run: Run }): ReactElement {
  if (fileName === undefined) return <span>{name}</span>;
  return (
    <Link to="/dags/$fileName" params={{ fileName }} className={styles.dag}>
      {name}
    </Link>
  );
}

/** The links from a child run back to its parents. */
function Breadcrumb({ address, run }: { readonly address: RunAddress; readonly run: Run }): ReactElement | null {
  const t = useRunMessages();
  const { name, runId, sub } = address;
  if (sub === undefined) return null;
  const parent = run.parentDAGRunId === runId ? undefined : run.parentDAGRunId;
  return (
    <nav aria-label={t('run.breadcrumb')} className={styles.breadcrumb}>
      <Link to="/dag-runs/$name/$runId" params={{ name, runId }}>
        {name}
      </Link>
      {parent === undefined ? null : (
        <>
          <span aria-hidden>…</span>
          <Link to="/dag-runs/$name/$runId" params={{ name, runId }} search={{ sub: parent }}>
            {run.parentDAGRunName}
          </Link>
        </>
      )}
      <span aria-hidden>/</span>
    </nav>
  );
}

function QueueWait({ run }: { readonly run: Run }): ReactElement | null {
  const t = useRunMessages();
  const { duration } = useTimeFormat();
  const ms = queueWaitMs(run);
  return ms === undefined ? null : <Fact name={t('run.queueWait')}>{duration(ms)}</Fact>;
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
