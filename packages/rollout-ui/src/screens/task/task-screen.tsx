import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { SessionSummary } from '@weir/rollout-contract';
import { Button, EmptyState, Table, ToggleButton, type TableColumn } from '@weir/ui-kit';
import { defineMessages, QueryPanel, ScreenHeader } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { sessionsQuery } from '../../api/queries';
import { formatCount } from '../../parts/format-number';
import { Reward, SessionState, Versions } from '../../parts/session-facts';
import { advantageOf, groupStatistics, type GroupStatistics } from './group-statistics';
import { RewardStrip } from './reward-strip';
import messages from './messages.json';
import styles from './task.module.css';

const useTaskMessages = defineMessages(messages);

/** The samples of one task side by side. */
export function TaskScreen(): ReactElement {
  const { taskId } = useParams({ from: '/tasks/$taskId' });
  const query = useQuery(sessionsQuery({ task: taskId }));
  return <QueryPanel query={query}>{({ sessions }) => <Group taskId={taskId} sessions={sessions} />}</QueryPanel>;
}

interface GroupProps {
  readonly taskId: string;
  readonly sessions: readonly SessionSummary[];
}

function Group({ taskId, sessions }: GroupProps): ReactElement {
  const t = useTaskMessages();
  const navigate = useNavigate();
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [a, b] = picked;
  const statistics = groupStatistics(sessions);
  const toggle = (id: string): void =>
    setPicked((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now.slice(-1), id]));
  const compare = (): void => {
    if (a !== undefined && b !== undefined) void navigate({ to: '/compare', search: { a, b } });
  };
  return (
    <>
      <ScreenHeader title={taskId} note={t('task.note', { count: sessions.length })}>
        <span className={styles.muted}>{b === undefined ? t('task.pickMore') : null}</span>
        <Button variant="primary" isDisabled={b === undefined} onPress={compare}>
          {t('task.compare')}
        </Button>
      </ScreenHeader>
      {sessions.length === 0 ? (
        <EmptyState title={t('task.empty.title')} action={<Link to="/">{t('task.empty.action')}</Link>}>
          {t('task.empty.text')}
        </EmptyState>
      ) : (
        <>
          {statistics.hasZeroSpread ? <p className={styles.warning}>{t('task.zero')}</p> : null}
          <RewardStrip label={t('task.strip')} sessions={sessions} />
          <Samples taskId={taskId} sessions={sessions} {...{ statistics, picked, toggle }} />
        </>
      )}
    </>
  );
}

interface SamplesProps extends GroupProps {
  readonly statistics: GroupStatistics;
  readonly picked: readonly string[];
  readonly toggle: (id: string) => void;
}

function Samples({ taskId, sessions, statistics, picked, toggle }: SamplesProps): ReactElement {
  const t = useTaskMessages();
  const longest = Math.max(1, ...sessions.map((one) => one.sampled_tokens));
  const columns: readonly TableColumn<SessionSummary>[] = [
    {
      id: 'pick',
      isButtons: true,
      name: t('task.pick'),
      render: ({ session_id: id }) => (
        <ToggleButton
          isSelected={picked.includes(id)}
          aria-label={`${t('task.pick')} ${id}`}
          onChange={() => toggle(id)}
        >
          {t(picked.includes(id) ? 'task.picked' : 'task.pick')}
        </ToggleButton>
      ),
    },
    {
      id: 'session',
      name: t('task.session'),
      isRowHeader: true,
      width: 'grow',
      render: ({ session_id: id }) => (
        <Link to="/sessions/$sessionId" params={{ sessionId: id }}>
          {id}
        </Link>
      ),
    },
    { id: 'state', name: t('task.state'), render: ({ state }) => <SessionState state={state} /> },
    { id: 'reward', name: t('task.reward'), align: 'end', render: ({ reward }) => <Reward reward={reward} /> },
    {
      id: 'advantage',
      name: t('task.advantage'),
      align: 'end',
      render: ({ reward }) => formatAdvantage(advantageOf(reward, statistics)),
    },
    {
      id: 'tokens',
      name: t('task.tokens'),
      align: 'end',
      render: (one) => <Length tokens={one.sampled_tokens} longest={longest} />,
    },
    { id: 'turns', name: t('task.turns'), align: 'end', render: (one) => formatCount(one.interaction_count) },
    { id: 'end', name: t('task.end'), render: (one) => <code>{one.last_finish_reason}</code> },
    { id: 'versions', name: t('task.versions'), render: (one) => <Versions {...one} /> },
  ];
  return (
    <Table
      label={t('task.label', { task: taskId })}
      items={sessions}
      getId={({ session_id: id }) => id}
      columns={columns}
    />
  );
}

function formatAdvantage(advantage: number | undefined): string {
  if (advantage === undefined) return '–';
  return `${advantage > 0 ? '+' : ''}${advantage.toFixed(2)}`;
}

/** A number, and a bar beside those of the others. */
function Length({ tokens, longest }: { readonly tokens: number; readonly longest: number }): ReactElement {
  return (
    <span className={styles.length}>
      <svg aria-hidden viewBox="0 0 60 8" width="60" height="8" className={styles.bar}>
        <rect width={(60 * tokens) / longest} height="8" rx="2" />
      </svg>
      {formatCount(tokens)}
    </span>
  );
}
