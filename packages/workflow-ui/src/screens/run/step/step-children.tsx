import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import { useMemo, type ReactElement } from 'react';
import { api, type Schemas } from '../../../api/client';
import { useAppMessages } from '../../../parts/text/app-messages';
import { Duration } from '../../../parts/duration';
import { paramsText } from '../../../parts/params/params-text';
import { RunStatus } from '../../../parts/run-status';
import { runKey, type RunAddress } from '../../../parts/run/run-address';
import type { Node } from '../../../parts/run/run-data';
import { useRunMessages } from '../../../parts/run/run-messages';
import { Part } from './part';
import styles from './step-panel.module.css';

export interface StepChildrenProps {
  readonly address: RunAddress;
  readonly node: Node;
  /** Changes whenever the run has changed. */
  readonly version: number;
}

/** Limits the shown child runs; failed ones come first. */
const maxShown = 200;

/** The child runs of a step: one for a DAG that it runs, one for each item of a parallel step. They open in place. */
export function StepChildren({ address, node, version }: StepChildrenProps): ReactElement {
  const t = useRunMessages();
  const { subRuns = [], subRunsRepeated = [] } = node;
  const ids = useMemo(
    () => new Set([...subRuns, ...subRunsRepeated].map(({ dagRunId }) => dagRunId)),
    [subRuns, subRunsRepeated],
  );
  const query = useChildren(address, version);
  return (
    <Part title={t(isFanOut(node) ? 'run.items' : 'run.children', { count: ids.size })}>
      <QueryPanel query={query}>
        {(all) => {
          const own = all.filter(({ dagRunId }) => ids.has(dagRunId));
          const numbered = own.map((child, index) => ({ child, number: index + 1 }));
          const shown = numbered.toSorted((one, other) => rank(one.child) - rank(other.child)).slice(0, maxShown);
          return (
            <>
              {own.length < 2 ? null : <Summary runs={own} />}
              <HeatStrip runs={own} />
              <ul className={styles.list}>
                {shown.map(({ child, number }) => (
                  <ChildLine key={child.dagRunId} {...{ address, child }} {...(isFanOut(node) ? { number } : {})} />
                ))}
              </ul>
              {shown.length < own.length ? (
                <p className={styles.muted}>{t('run.children.more', { count: own.length - shown.length })}</p>
              ) : null}
            </>
          );
        }}
      </QueryPanel>
    </Part>
  );
}

function isFanOut({ step }: Node): boolean {
  return step.parallel !== undefined;
}

interface ChildLineProps {
  readonly address: RunAddress;
  readonly child: Child;
  /** The number of the item, in a step with several. */
  readonly number?: number;
}

function ChildLine({ address: { name, runId }, child, number }: ChildLineProps): ReactElement {
  const { dagRunId, dagName, params = '', statusLabel, startedAt, finishedAt = '' } = child;
  const text = paramsText(params);
  return (
    <li className={styles.child}>
      {number === undefined ? null : <span className={styles.number}>{number}</span>}
      <Link to="/dag-runs/$name/$runId" params={{ name, runId }} search={{ sub: dagRunId }}>
        {dagName}
      </Link>
      <code title={text} className={styles.item}>
        {text}
      </code>
      <span className={styles.end}>
        <RunStatus status={statusLabel} />
        <span className={styles.duration}>
          <Duration startedAt={startedAt} finishedAt={finishedAt} />
        </span>
      </span>
    </li>
  );
}

/** The number of runs in each status, in the order of the list. */
function Summary({ runs }: { readonly runs: readonly Child[] }): ReactElement {
  const app = useAppMessages();
  const counts = new Map<Child['statusLabel'], number>();
  for (const { statusLabel } of runs.toSorted((one, other) => rank(one) - rank(other))) {
    counts.set(statusLabel, (counts.get(statusLabel) ?? 0) + 1);
  }
  return (
    <p className={styles.muted}>
      {[...counts].map(([label, count]) => `${count} ${app(`app.status.${label}`).toLowerCase()}`).join(', ')}
    </p>
  );
}

type Child = Schemas['SubDAGRunDetail'];

/** Shows many items, with one cell each. */
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

function useChildren(address: RunAddress, version: number) {
  const { name, runId, sub } = address;
  const query = sub === undefined ? {} : { parentSubDAGRunId: sub };
  return useQuery<readonly Child[], Failure>({
    queryKey: ['children', runKey(address), version],
    placeholderData: (previous) => previous,
    queryFn: async ({ signal }) => {
      const params = { path: { name, dagRunId: runId }, query };
      return (await unwrap(api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs', { params, signal }))).subRuns;
    },
  });
}
