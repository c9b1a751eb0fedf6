import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button, ShortId } from '@weir/ui-kit';
import { formatDuration, QueryPanel, Time, unwrap, type Failure } from '@weir/ui-kit/app';
import { ArrowLeft } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { api, type Schemas } from '../../../api/client';
import { TextDiff } from '../../../editor/view/lazy-text-diff';
import { useRunSpec } from '../../../parts/run-spec';
import { RunStatus } from '../../../parts/run-status';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { ChangedValues } from './changed-values';
import { ComparedSteps } from './compared-steps';
import styles from './comparison.module.css';

export interface ComparisonProps {
  readonly pair: RunPair;
  readonly onClose: () => void;
}

/** The differences of two runs: their steps, parameters, outputs, variables and specs. */
export function Comparison({ pair, onClose }: ComparisonProps): ReactElement {
  const t = useDagMessages();
  const query = useQuery(comparisonQuery(pair));
  return (
    <div className={styles.comparison}>
      <div>
        <Button variant="quiet" onPress={onClose}>
          <ArrowLeft aria-hidden size={16} />
          {t('dag.compare.back')}
        </Button>
      </div>
      <QueryPanel query={query}>{(difference) => <Difference difference={difference} />}</QueryPanel>
    </div>
  );
}

function Difference({ difference }: { readonly difference: Schemas['DAGRunDiffResponse'] }): ReactElement {
  const t = useDagMessages();
  const { from, to, steps, parameters, outputs, environment, spec } = difference;
  const variables = environment.flatMap(({ change, ...rest }) => (change === 'equal' ? [] : [{ change, ...rest }]));
  return (
    <>
      <div className={styles.sides}>
        <Side title={t('dag.compare.older')} run={from} />
        <Side title={t('dag.compare.newer')} run={to} />
      </div>
      <Section title={t('dag.compare.steps')}>
        <ComparedSteps steps={steps} />
      </Section>
      <Section title={t('dag.compare.params')}>
        <ChangedValues label={t('dag.compare.params')} values={parameters} />
      </Section>
      <Section title={t('dag.compare.outputs')}>
        <ChangedValues label={t('dag.compare.outputs')} values={outputs} />
      </Section>
      <Section title={t('dag.compare.variables')}>
        {variables.length === 0 ? (
          <p className={styles.muted}>{t('dag.compare.same')}</p>
        ) : (
          <ul>
            {variables.map(({ name, change, step = '' }) => (
              <li key={`${name} ${step}`}>
                <code>{name}</code> <span className={styles.muted}>{t(`dag.compare.${change}`)}</span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={t('dag.compare.spec')}>
        {spec.isBaseEqual ? null : <p>{t('dag.compare.base')}</p>}
        {spec.isEqual ? <p className={styles.muted}>{t('dag.compare.same')}</p> : <ChangedSpec from={from} to={to} />}
      </Section>
    </>
  );
}

interface ChangedSpecProps {
  readonly from: Schemas['ComparedRun'];
  readonly to: Schemas['ComparedRun'];
}

function ChangedSpec({ from, to }: ChangedSpecProps): ReactElement {
  const t = useDagMessages();
  const older = useRunSpec({ name: from.name, runId: from.dagRunId });
  const newer = useRunSpec({ name: to.name, runId: to.dagRunId });
  return (
    <QueryPanel query={older}>
      {(before) => (
        <QueryPanel query={newer}>
          {(after) => (
            <TextDiff
              {...{ before, beforeLabel: t('dag.compare.older') }}
              {...{ after, afterLabel: t('dag.compare.newer') }}
            />
          )}
        </QueryPanel>
      )}
    </QueryPanel>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={title} className={styles.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Side({ title, run }: { readonly title: string; readonly run: Schemas['ComparedRun'] }): ReactElement {
  const { name, dagRunId, statusLabel, startedAt, durationMs } = run;
  return (
    <section aria-label={title} className={styles.side}>
      <h2>{title}</h2>
      <Link to="/dag-runs/$name/$runId" params={{ name, runId: dagRunId }}>
        <ShortId id={dagRunId} />
      </Link>
      <RunStatus status={statusLabel} />
      <Time value={startedAt} />
      {durationMs === undefined ? null : <span className={styles.muted}>{formatDuration(durationMs)}</span>}
    </section>
  );
}

interface RunPair {
  /** The name of the DAG. */
  readonly name: string;
  readonly newer: string;
  readonly older: string;
}

/** Reads the differences of two runs of a DAG. */
function comparisonQuery({ name, newer, older }: RunPair) {
  const params = { path: { name, dagRunId: newer }, query: { with: older } };
  return queryOptions<Schemas['DAGRunDiffResponse'], Failure>({
    queryKey: ['comparison', name, newer, older],
    queryFn: ({ signal }) => unwrap(api.GET('/dag-runs/{name}/{dagRunId}/diff', { params, signal })),
  });
}
