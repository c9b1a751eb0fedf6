import { Link, useNavigate } from '@tanstack/react-router';
import type { SessionSummary } from '@weir/rollout-contract';
import { Table, type TableColumn } from '@weir/ui-kit';
import { Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { formatCount } from '../../parts/format-number';
import { Doubts, Reward, SessionState, Versions } from '../../parts/session-facts';
import { useSessionsMessages } from './sessions-messages';

/** Sessions, newest first. */
export function SessionTable({ sessions }: { readonly sessions: readonly SessionSummary[] }): ReactElement {
  const t = useSessionsMessages();
  const navigate = useNavigate();
  const columns: readonly TableColumn<SessionSummary>[] = [
    { id: 'state', name: t('sessions.state'), render: ({ state }) => <SessionState state={state} /> },
    {
      id: 'id',
      name: t('sessions.id'),
      isRowHeader: true,
      render: ({ session_id: id }) => (
        <Link to="/sessions/$sessionId" params={{ sessionId: id }}>
          {id}
        </Link>
      ),
    },
    {
      id: 'task',
      name: t('sessions.task'),
      width: 'grow',
      render: ({ task_id: id }) =>
        id === '' ? null : (
          <Link to="/tasks/$taskId" params={{ taskId: id }}>
            {id}
          </Link>
        ),
    },
    { id: 'doubts', name: t('sessions.doubts'), render: (session) => <Doubts {...session} /> },
    { id: 'versions', name: t('sessions.versions'), render: (session) => <Versions {...session} /> },
    { id: 'turns', name: t('sessions.turns'), align: 'end', render: (one) => formatCount(one.interaction_count) },
    { id: 'tokens', name: t('sessions.tokens'), align: 'end', render: (one) => formatCount(one.sampled_tokens) },
    { id: 'reward', name: t('sessions.reward'), align: 'end', render: ({ reward }) => <Reward reward={reward} /> },
    { id: 'used', name: t('sessions.used'), align: 'end', render: (one) => <Time value={one.last_used_at} /> },
  ];
  return (
    <Table
      label={t('sessions.title')}
      items={sessions}
      getId={({ session_id: id }) => id}
      columns={columns}
      onOpen={({ session_id: sessionId }) => void navigate({ to: '/sessions/$sessionId', params: { sessionId } })}
    />
  );
}
