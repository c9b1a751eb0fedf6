import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { api, type Schemas } from '../../../api/client';
import { unwrap, type Failure } from '../../../api/failure';
import { Duration } from '../../../parts/duration';
import { QueryPanel } from '../../../parts/query-panel';
import { RunStatus } from '../../../parts/run-status';
import { runKey, type RunAddress } from '../run-address';
import type { Node } from '../run-data';
import { useRunMessages } from '../run-messages';
import { Part } from './part';
import styles from './step-panel.module.css';

export interface StepChildrenProps {
  readonly address: RunAddress;
  readonly node: Node;
  /** Differs whenever the run has changed. */
  readonly version: number;
}

/** The first ones are shown; the failed ones come first among them. */
const maxShown = 200;

/** The child runs of a step: one for a DAG that it runs, one for each item of a parallel step. They open in place. */
export function StepChildren({ address, node, version }: StepChildrenProps): ReactElement | null {
  const t = useRunMessages();
  const { subRuns = [], subRunsRepeated = [] } = node;
  const ids = useMemo(
    () => new Set([...subRuns, ...subRunsRepeated].map(({ dagRunId }) => dagRunId)),
    [subRuns, subRunsRepeated],
  );
  const query = useChildren(address, version, ids.size > 0);
  if (ids.size === 0) return null;
  return (
    <Part title={t('run.children', { count: ids.size })}>
      <QueryPanel query={query}>
        {(all) => {
          const own = all.filter(({ dagRunId }) => ids.has(dagRunId));
          const sorted = own.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxShown);
          return (
            <>
              <HeatStrip runs={own} />
              <ul className={styles.list}>
                {sorted.map((child) => (
                  <li key={child.dagRunId} className={styles.child}>
                    <RunStatus status={child.statusLabel} isShort />
                    <Link
                      to="/dag-runs/$name/$runId"
                      params={{ name: address.name, runId: address.runId }}
                      search={{ sub: child.dagRunId }}
                    >
                      {child.dagName}
                    </Link>
                    <code className={styles.muted}>{child.params}</code>
                    <span className={styles.end}>
                      <Duration startedAt={child.startedAt} finishedAt={child.finishedAt ?? ''} />
                    </span>
                  </li>
                ))}
              </ul>
              {sorted.length < own.length ? (
                <p className={styles.muted}>{t('run.children.more', { count: own.length - sorted.length })}</p>
              ) : null}
            </>
          );
        }}
      </QueryPanel>
    </Part>
  );
}

type Child = Schemas['SubDAGRunDetail'];

/** Of many items, one cell each. */
function HeatStrip({ runs }: { readonly runs: readonly Child[] }): ReactElement | null {
  const t = useRunMessages();
  if (runs.length < 10) return null;
  const failed = runs.filter(({ statusLabel }) => statusLabel === 'failed').length;
  const succeeded = runs.filter(({ statusLabel }) => statusLabel === 'succeeded').length;
  return (
    <div role="img" aria-label={t('run.children.summary', { failed, succeeded })} className={styles.strip}>
      {runs.map(({ dagRunId, statusLabel }) => (
        <span key={dagRunId} data-status={statusLabel} className={styles.cell} />
      ))}
    </div>
  );
}

const order = ['failed', 'rejected', 'waiting', 'running', 'queued', 'not_started'];

function rank({ statusLabel }: Child): number {
  const place = order.indexOf(statusLabel);
  return place < 0 ? order.length : place;
}

function useChildren(address: RunAddress, version: number, enabled: boolean) {
  const { name, runId, sub } = address;
  const query = sub === undefined ? {} : { parentSubDAGRunId: sub };
  return useQuery<readonly Child[], Failure>({
    queryKey: ['children', runKey(address), version],
    enabled,
    placeholderData: (previous) => previous,
    queryFn: async ({ signal }) => {
      const params = { path: { name, dagRunId: runId }, query };
      return (await unwrap(api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs', { params, signal }))).subRuns;
    },
  });
}
