import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { EmptyState, SplitPane, Tabs } from '@weir/ui-kit';
import { QueryPanel, ScreenHeader } from '@weir/ui-kit/app';
import { useCallback, type ReactElement } from 'react';
import { forestQuery, sessionQueryOf } from '../../api/queries';
import { formatCount } from '../../parts/format-number';
import { Doubts, Reward, SessionState, Versions } from '../../parts/session-facts';
import { InteractionPane } from './interaction-pane';
import { ExportMenu } from './export/export-menu';
import { Forest } from './forest';
import { RewardTools } from './reward-tools';
import { Rows } from './rows';
import { toChoices, type SessionSearch, type SessionViewProps } from './search';
import { useSessionMessages } from './session-messages';
import styles from './session.module.css';

/** One session: its interactions or training rows, and beside them the interaction that is looked at. */
export function SessionScreen(): ReactElement {
  const t = useSessionMessages();
  const { sessionId } = useParams({ from: '/sessions/$sessionId' });
  const search = useSearch({ from: '/sessions/$sessionId' });
  const navigate = useNavigate({ from: '/sessions/$sessionId' });
  const change = useCallback(
    (next: SessionSearch): void => void navigate({ search: (now) => ({ ...now, ...next }), replace: true }),
    [navigate],
  );
  const views = { sessionId, search, onChange: change };
  return (
    <div className={styles.screen}>
      <Header sessionId={sessionId} search={search} />
      <div className={styles.panes}>
        <SplitPane
          label={t('session.panes')}
          initialShare={42}
          first={
            <div className={styles.pane}>
              <RewardTools search={search} onChange={change} />
              <Tabs
                isFilling
                label={t('session.views')}
                selected={search.view ?? 'forest'}
                onSelect={(view) =>
                  void navigate({ search: ({ view: _view, ...now }) => (view === 'rows' ? { ...now, view } : now) })
                }
                tabs={[
                  { id: 'forest', label: t('session.forest'), content: <Forest {...views} /> },
                  { id: 'rows', label: t('session.rows'), content: <Rows {...views} /> },
                ]}
              />
            </div>
          }
          second={
            <div className={styles.pane}>
              <Selected {...views} />
            </div>
          }
        />
      </div>
    </div>
  );
}

function Header({ sessionId, search }: Pick<SessionViewProps, 'sessionId' | 'search'>): ReactElement {
  const t = useSessionMessages();
  const { data } = useQuery(sessionQueryOf(sessionId));
  return (
    <>
      <ScreenHeader title={sessionId}>
        <ExportMenu sessionId={sessionId} choices={toChoices(search)} />
      </ScreenHeader>
      {data === undefined ? null : (
        <p className={styles.facts}>
          <SessionState state={data.state} />
          {data.task_id === '' ? null : (
            <Link to="/tasks/$taskId" params={{ taskId: data.task_id }}>
              {data.task_id}
            </Link>
          )}
          <span>{t('session.turns', { count: data.interaction_count })}</span>
          <span>{t('session.tokens', { count: formatCount(data.sampled_tokens) })}</span>
          <Versions {...data} />
          <span>
            {data.reward === null ? null : t('session.reward')} <Reward reward={data.reward} />
          </span>
          {data.turns_under_way > 0 ? <span>{t('session.running', { count: data.turns_under_way })}</span> : null}
          <Doubts {...data} />
        </p>
      )}
    </>
  );
}

/** The chosen interaction, else the last one. */
function Selected({ sessionId, search, onChange }: SessionViewProps): ReactElement {
  const t = useSessionMessages();
  const query = useQuery(forestQuery(sessionId, toChoices(search)));
  return (
    <QueryPanel query={query}>
      {({ nodes }) => {
        const node = nodes.find(({ interaction_id: id }) => id === search.call) ?? nodes.at(-1);
        if (node === undefined) {
          return <EmptyState title={t('session.choose.title')}>{t('session.choose.text')}</EmptyState>;
        }
        return <InteractionPane sessionId={sessionId} node={node} search={search} onChange={onChange} />;
      }}
    </QueryPanel>
  );
}
