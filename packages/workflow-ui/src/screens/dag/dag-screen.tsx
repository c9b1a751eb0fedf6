import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { EmptyState, Skeleton, Tabs } from '@weir/ui-kit';
import { QueryPanel, statusOf } from '@weir/ui-kit/app';
import { Suspense, useCallback, type ReactElement, type ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { useLiveQuery } from '../../api/live-query';
import { dagSource } from '../../parts/dag/dag-data';
import { DagHeader } from './dag-header';
import { useDagMessages } from '../../parts/dag/dag-messages';
import { GraphTab } from './graph/graph-tab';
import { HistoryTab } from './history/history-tab';
import { OverviewTab } from './overview/overview-tab';
import { RevisionsTab } from './revisions/revisions-tab';
import { dagTabs, type DagSearch, type DagTab } from '../../parts/dag/dag-search';
import { ScheduleTab } from './schedule/schedule-tab';
import type { SpecTabProps } from './spec/spec-tab';
import { WebhookTab } from './webhook/webhook-tab';
import styles from './dag.module.css';
import { lazyPart } from '../../parts/lazy-part';

/** One DAG. Its view and its selection are in the address. */
export function DagScreen(): ReactElement {
  const { fileName } = useParams({ from: '/dags/$fileName' });
  const t = useDagMessages();
  const query = useLiveQuery(dagSource(fileName));
  if (statusOf(query.error) === 404) {
    return (
      <EmptyState
        level={1}
        title={t('dag.unknown', { name: fileName })}
        action={<Link to="/dags">{t('dag.unknown.action')}</Link>}
      >
        {t('dag.unknown.text')}
      </EmptyState>
    );
  }
  return (
    <div className={styles.screen}>
      <DagHeader fileName={fileName} details={query.isPlaceholderData ? undefined : query.data} />
      <QueryPanel query={query}>
        {(details) => <DagViews key={fileName} fileName={fileName} details={details} />}
      </QueryPanel>
    </div>
  );
}

interface DagViewsProps {
  readonly fileName: string;
  readonly details: Schemas['GetDAGDetailsResponse'];
}

function DagViews({ fileName, details }: DagViewsProps): ReactElement {
  const t = useDagMessages();
  const navigate = useNavigate({ from: '/dags/$fileName' });
  const search = useSearch({ from: '/dags/$fileName' });
  const change = useCallback(
    (next: DagSearch, replace = true): void => void navigate({ search: next, replace }),
    [navigate],
  );
  const [firstTab] = dagTabs;
  const { tab = firstTab } = search;
  const views: Readonly<Record<DagTab, ReactNode>> = {
    overview: <OverviewTab {...{ fileName, details }} />,
    graph: <GraphTab {...{ details, search, onChange: change }} />,
    schedule: <ScheduleTab {...{ fileName, details }} />,
    history: <HistoryTab {...{ fileName, search, onChange: change }} />,
    revisions: <RevisionsTab {...{ fileName, search, onChange: change }} />,
    webhook: <WebhookTab {...{ fileName, workspace: workspaceOf(details) }} />,
    spec: <Spec {...{ fileName, workspace: workspaceOf(details), line: search.line }} />,
  };
  return (
    <Tabs
      isFilling
      label={t('dag.views')}
      selected={tab}
      onSelect={(id) => change(id === firstTab ? {} : { tab: id }, false)}
      tabs={dagTabs.map((id) => ({
        id,
        label: t(`dag.tab.${id}`),
        shortcut: id === 'spec' ? 'e' : undefined,
        content: views[id],
      }))}
    />
  );
}

/** A DAG names its workspace by a label. */
function workspaceOf({ dag }: DagViewsProps['details']): string | undefined {
  return dag?.labels?.find((label) => label.startsWith('workspace='))?.slice('workspace='.length);
}

const LazySpecTab = lazyPart(() => import('./spec/spec-tab'), 'SpecTab');

/** The editor is large, so it is loaded when it is opened. */
function Spec(props: SpecTabProps): ReactElement {
  const t = useDagMessages();
  return (
    <Suspense fallback={<Skeleton label={t('dag.tab.spec')} />}>
      <LazySpecTab {...props} />
    </Suspense>
  );
}
