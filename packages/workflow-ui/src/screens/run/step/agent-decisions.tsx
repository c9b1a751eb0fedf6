import { defineMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { Duration } from '../../../parts/duration';
import { RunStatus } from '../../../parts/run-status';
import type { Node } from '../../../parts/run/run-data';
import { Part } from './part';
import messages from './agent-messages.json';
import styles from './agent-decisions.module.css';

const useAgentMessages = defineMessages(messages);

type Agent = NonNullable<Node['agent']>;
type Decision = Agent['decisions'][number];

/** The tasks of an agent, and what its model has decided so far. */
export function AgentDecisions({ agent: { tasks, decisions } }: { readonly agent: Agent }): ReactElement {
  const t = useAgentMessages();
  return (
    <>
      <Part title={t('run.agent.tasks')}>
        <ul aria-label={t('run.agent.tasks')} className={styles.list}>
          {tasks.map(({ name, status, reason = '' }) => (
            <li key={name} className={styles.item}>
              <span>{name}</span>
              <span className={styles.end}>{t(`run.agent.${status}`)}</span>
              {reason === '' ? null : <p className={styles.words}>{reason}</p>}
            </li>
          ))}
        </ul>
      </Part>
      {decisions.length === 0 ? null : (
        <Part title={t('run.agent.decisions')}>
          <ol aria-label={t('run.agent.decisions')} className={styles.list}>
            {decisions.map((decision) => (
              <DecisionItem key={decision.number} decision={decision} />
            ))}
          </ol>
        </Part>
      )}
    </>
  );
}

function DecisionItem({ decision }: { readonly decision: Decision }): ReactElement {
  const t = useAgentMessages();
  const { text = '', status, startedAt = '', finishedAt = '' } = decision;
  return (
    <li className={styles.item}>
      {status === undefined ? null : <RunStatus isShort status={status} />}
      <span className={styles.what}>{describe(decision, t)}</span>
      <span className={styles.end}>
        <Duration {...{ startedAt, finishedAt }} />
      </span>
      {text === '' ? null : <p className={styles.words}>{text}</p>}
    </li>
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
