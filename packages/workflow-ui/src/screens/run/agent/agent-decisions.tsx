import { Table, type TableColumn } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { Duration } from '../../../parts/duration';
import { RunStatus } from '../../../parts/run-status';
import type { Node } from '../../../parts/run/run-data';
import messages from './messages.json';

const useAgentMessages = defineMessages(messages);

type Agent = NonNullable<Node['agent']>;
type Task = Agent['tasks'][number];
type Decision = Agent['decisions'][number];

/** The tasks of an agent, and what its model has decided so far. */
export function AgentDecisions({ agent: { tasks, decisions } }: { readonly agent: Agent }): ReactElement {
  const t = useAgentMessages();
  const taskColumns: readonly TableColumn<Task>[] = [
    { id: 'task', name: t('run.agent.task'), isRowHeader: true, render: ({ name }) => name },
    { id: 'state', name: t('run.agent.state'), render: ({ status }) => t(`run.agent.${status}`) },
    { id: 'reason', name: t('run.agent.reason'), width: 'grow', render: ({ reason = '' }) => reason },
  ];
  const columns: readonly TableColumn<Decision>[] = [
    {
      id: 'decision',
      name: t('run.agent.decision'),
      isRowHeader: true,
      width: 'grow',
      render: (decision) => describe(decision, t),
    },
    { id: 'said', name: t('run.agent.said'), width: 'grow', render: ({ text = '' }) => text },
    {
      id: 'state',
      name: t('run.agent.state'),
      render: ({ status }) => (status === undefined ? '' : <RunStatus status={status} />),
    },
    {
      id: 'duration',
      name: t('run.agent.duration'),
      render: ({ startedAt = '', finishedAt = '' }) => <Duration {...{ startedAt, finishedAt }} />,
    },
  ];
  return (
    <>
      <Table label={t('run.agent.tasks')} items={tasks} getId={({ name }) => name} columns={taskColumns} />
      {decisions.length === 0 ? null : (
        <Table
          label={t('run.agent.decisions')}
          items={decisions}
          getId={({ number }) => String(number)}
          columns={columns}
        />
      )}
    </>
  );
}

function describe(
  { kind, step = '', run = 1, question = '', answer = '', task = '', taskStatus = 'open', reason = '' }: Decision,
  t: ReturnType<typeof useAgentMessages>,
): string {
  switch (kind) {
    case 'action':
      return run === 1 ? t('run.agent.runs', { step }) : t('run.agent.repeats', { step, count: run });
    case 'ask_user':
      return answer === '' ? t('run.agent.asks', { question }) : t('run.agent.answered', { question, answer });
    case 'task_status':
      return t('run.agent.sets', { task, status: t(`run.agent.${taskStatus}`) });
    case 'rejected':
      return t('run.agent.rejected', { reason });
    case 'stalled':
      return t('run.agent.stalled');
  }
}
