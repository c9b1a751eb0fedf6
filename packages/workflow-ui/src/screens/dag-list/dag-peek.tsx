import { Link } from '@tanstack/react-router';
import { Facts, Skeleton } from '@weir/ui-kit';
import { QueryPanel, Time } from '@weir/ui-kit/app';
import { Suspense, useMemo, useState, type ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { useLiveQuery } from '../../api/live-query';
import { useAppMessages } from '../../parts/text/app-messages';
import { PeekPane } from '../../parts/peek/peek-pane';
import { RunLink } from '../../parts/run-link';
import { RunStatus } from '../../parts/run-status';
import { dagSource } from '../../parts/dag/dag-data';
import { toGraphSteps } from '../../graph/to-graph-steps';
import { useDagListMessages } from './dag-list-messages';
import styles from '../../parts/peek/peek.module.css';
import { lazyPart } from '../../parts/lazy-part';

const StepGraph = lazyPart(() => import('../../graph'), 'StepGraph');

export interface DagPeekProps {
  readonly fileName: string;
  readonly onClose: () => void;
}

/** A summary of a DAG: its purpose, and the result of its last run. */
export function DagPeek({ fileName, onClose }: DagPeekProps): ReactElement {
  const t = useDagListMessages();
  const query = useLiveQuery(dagSource(fileName));
  return (
    <PeekPane
      label={fileName}
      onClose={onClose}
      open={
        <Link to="/dags/$fileName" params={{ fileName }}>
          {t('dags.peek.open')}
        </Link>
      }
    >
      <QueryPanel query={query}>{(details) => <Content details={details} />}</QueryPanel>
    </PeekPane>
  );
}

function Content({ details }: { readonly details: Schemas['GetDAGDetailsResponse'] }): ReactElement {
  const t = useDagListMessages();
  const { dag, latestDAGRun: run, errors, suspended } = details;
  const hasRun = run.dagRunId !== '';
  const schedule = (dag?.schedule ?? []).map(({ expression, at }) => expression ?? at).join(', ');
  return (
    <>
      {errors.map((error) => (
        <p key={error} className={styles.error}>
          {error}
        </p>
      ))}
      {dag?.description === undefined || dag.description === '' ? null : <p>{dag.description}</p>}
      <Facts
        facts={[
          {
            name: t('dags.lastRun'),
            value: hasRun ? (
              <span className={styles.line}>
                <RunStatus status={run.statusLabel} />
                <Time value={run.startedAt} />
                <RunLink name={run.name} dagRunId={run.dagRunId} />
              </span>
            ) : (
              t('dags.neverRan')
            ),
          },
          ...(schedule === ''
            ? []
            : [
                {
                  name: t('dags.schedule'),
                  value: (
                    <span className={styles.line}>
                      <code>{schedule}</code>
                      {suspended ? t('dags.suspended') : null}
                    </span>
                  ),
                },
              ]),
        ]}
      />
      <Graph details={details} />
    </>
  );
}

/** Renders nothing where the file could not be read. */
function Graph({ details: { dag, latestDAGRun } }: { readonly details: Schemas['GetDAGDetailsResponse'] }) {
  const t = useDagListMessages();
  const app = useAppMessages();
  const [selected, setSelected] = useState<string | undefined>();
  const steps = useMemo(() => toGraphSteps(dag?.steps ?? [], latestDAGRun.nodes), [dag, latestDAGRun]);
  if (steps.length === 0) return null;
  return (
    <div className={styles.graph}>
      <Suspense fallback={<Skeleton label={app('app.loading')} rows={4} />}>
        <StepGraph label={t('dags.peek.graph')} steps={steps} selected={selected} onSelect={setSelected} />
      </Suspense>
    </div>
  );
}
