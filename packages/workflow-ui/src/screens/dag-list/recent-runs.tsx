import { useRouter } from '@tanstack/react-router';
import { StatusShape } from '@weir/ui-kit';
import { basePath, useTimeFormat } from '@weir/ui-kit/app';
import type { MouseEvent, ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { statusKindOf } from '../../api/status';
import { useAppMessages } from '../../parts/text/app-messages';
import { useDagListMessages } from './dag-list-messages';
import styles from './dag-list.module.css';

const shapeSize = 11;

/** The last runs of a DAG as their statuses, the newest at the end; each links to its run. */
export function RecentRuns({
  dag: { dag, recentRuns = [] },
}: {
  readonly dag: Schemas['DAGFile'];
}): ReactElement | null {
  const t = useDagListMessages();
  const app = useAppMessages();
  const format = useTimeFormat();
  const router = useRouter();
  if (recentRuns.length === 0) return null;
  const describe = ({ statusLabel, startedAt }: Schemas['RecentRun']): string => {
    const status = app(`app.status.${statusKindOf(statusLabel)}`);
    if (startedAt === '') return t('dags.recentRun.notStarted', { status });
    return t('dags.recentRun', { status, time: format.full(new Date(startedAt)) });
  };
  return (
    <ol aria-label={t('dags.recentRuns.of', { name: dag.name })} className={styles.recentRuns}>
      {recentRuns.toReversed().map((run) => {
        const href = `${basePath}/dag-runs/${encodeURIComponent(dag.name)}/${run.dagRunId}`;
        return (
          <li key={run.dagRunId}>
            <a href={href} title={describe(run)} aria-label={describe(run)} onClick={followInPlace}>
              <StatusShape kind={statusKindOf(run.statusLabel)} size={shapeSize} />
            </a>
          </li>
        );
      })}
    </ol>
  );

  /** Links of the router are too slow for a thousand of them. */
  function followInPlace(event: MouseEvent<HTMLAnchorElement>): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.history.push(event.currentTarget.getAttribute('href') ?? '/');
  }
}
