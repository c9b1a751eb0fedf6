import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button, ShortId } from '@weir/ui-kit';
import { QueryPanel, Time, unwrap, type Failure } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { RunStatus } from '../../../parts/run-status';
import { runKey, type RunAddress } from '../../../parts/run/run-address';
import { useRunMessages } from '../../../parts/run/run-messages';
import { api, type Schemas } from '../../../api/client';
import styles from './why-panel.module.css';

export interface WhyPanelProps {
  readonly address: RunAddress;
  /** The step to explain; when missing, the run. */
  readonly step?: string;
  readonly version: number;
  readonly onSelect: (id: string) => void;
}

/** Every reason why a run or a step is not running, with its holders. */
export function WhyPanel({ address, step, version, onSelect }: WhyPanelProps): ReactElement {
  const t = useRunMessages();
  const query = useExplanation(address, step, version);
  return (
    <QueryPanel query={query}>
      {({ causes, estimate }) =>
        causes.length === 0 ? null : (
          <section aria-label={t('run.why.title')} className={styles.panel}>
            <h3>{t('run.why.title')}</h3>
            <ul className={styles.causes}>
              {causes.map((cause, index) => (
                <li key={`${cause.kind}${index}`} className={styles.cause}>
                  <p>{cause.message}</p>
                  <Holders cause={cause} address={address} onSelect={onSelect} />
                </li>
              ))}
            </ul>
            {estimate === undefined ? null : <Estimate estimate={estimate} />}
          </section>
        )
      }
    </QueryPanel>
  );
}

/** The estimated start, and the basis of the estimate. */
function Estimate({ estimate }: { readonly estimate: StartEstimate }): ReactElement {
  const t = useRunMessages();
  const { startsAt, basis = '', reason = '' } = estimate;
  return (
    <p className={styles.estimate}>
      {startsAt === null ? (
        t('run.why.noEstimate', { reason })
      ) : (
        <>
          {t('run.why.estimate')} <Time value={startsAt} />{' '}
          <span>{basis === '0 runs' ? null : t('run.why.basis', { basis })}</span>
        </>
      )}
    </p>
  );
}

interface HoldersProps {
  readonly cause: Cause;
  readonly address: RunAddress;
  readonly onSelect: (id: string) => void;
}

/** Links to the objects that hold it up. */
function Holders({ cause, address, onSelect }: HoldersProps): ReactElement {
  const t = useRunMessages();
  const { kind, queue, runs = [], otherRuns = 0, steps = [], at, error, step } = cause;
  const isPersonal = kind === 'approval' || kind === 'human_task';
  return (
    <div className={styles.holders}>
      {queue === undefined ? null : <span>{t('run.why.position', { ...queue })}</span>}
      {at === undefined ? null : <Time value={at} />}
      {runs.map(({ name, dagRunId, statusLabel }) => (
        <Link
          key={dagRunId}
          to="/dag-runs/$name/$runId"
          // Child runs belong to the run of this page.
          params={kind === 'child_run' ? { name: address.name, runId: address.runId } : { name, runId: dagRunId }}
          search={kind === 'child_run' ? { sub: dagRunId } : {}}
          className={styles.run}
        >
          <RunStatus status={statusLabel} isShort />
          {name} <ShortId id={dagRunId} />
        </Link>
      ))}
      {otherRuns === 0 ? null : <span>{t('run.why.others', { count: otherRuns })}</span>}
      {[...steps.map(({ name }) => name), ...(isPersonal && step !== undefined ? [step] : [])].map((name) => (
        <Button key={name} onPress={() => onSelect(name)}>
          {name}
        </Button>
      ))}
      {error === undefined ? null : <code className={styles.error}>{error}</code>}
    </div>
  );
}

type Cause = Schemas['ExplanationCause'];
type StartEstimate = Schemas['StartEstimate'];

/** Reads why a run, or a step of it, is not running. */
function useExplanation(
  address: RunAddress,
  step: string | undefined,
  version: number,
): UseQueryResult<Schemas['DAGRunExplanation'], Failure> {
  const { name, runId, sub } = address;
  const query = step === undefined ? {} : { step };
  const path = { name, dagRunId: runId };
  return useQuery({
    queryKey: ['explain', runKey(address), step, version],
    placeholderData: (previous, before) => (before?.queryKey[2] === step ? previous : undefined),
    queryFn: ({ signal }) =>
      sub === undefined
        ? unwrap(api.GET('/dag-runs/{name}/{dagRunId}/explain', { params: { path, query }, signal }))
        : unwrap(
            api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/explain', {
              params: { path: { ...path, subDAGRunId: sub }, query },
              signal,
            }),
          ),
  });
}
