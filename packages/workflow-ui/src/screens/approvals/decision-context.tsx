import { useQuery } from '@tanstack/react-query';
import { Facts } from '@weir/ui-kit';
import type { ReactElement, ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import type { DecisionAddress } from '../../api/open-decisions';
import { QueryPanel } from '../../parts/query-panel';
import { Time } from '../../parts/time';
import { outputsQuery, runOfDecisionQuery, stepLogQuery } from './decision-context-data';
import { useApprovalsMessages } from './approvals-messages';
import styles from './decision-context.module.css';

/** What a person needs to see before deciding: the end of the log, the outputs, the push-backs so far. */
export function DecisionContext({ address }: { readonly address: DecisionAddress }): ReactElement {
  const t = useApprovalsMessages();
  return (
    <div className={styles.context}>
      <PushBacks address={address} />
      <Part title={t('approvals.log')}>
        <QueryPanel query={useQuery(stepLogQuery(address))}>
          {({ content }) =>
            content === '' ? (
              <p className={styles.muted}>{t('approvals.log.empty')}</p>
            ) : (
              <pre className={styles.log} tabIndex={0} role="region" aria-label={t('approvals.log')}>
                {content}
              </pre>
            )
          }
        </QueryPanel>
      </Part>
      <Part title={t('approvals.outputs')}>
        <QueryPanel query={useQuery(outputsQuery(address))}>
          {({ outputs }) =>
            Object.keys(outputs).length === 0 ? (
              <p className={styles.muted}>{t('approvals.outputs.empty')}</p>
            ) : (
              <Facts
                facts={Object.entries(outputs).map(([name, value]) => ({
                  name,
                  value: <code key={name}>{value}</code>,
                }))}
              />
            )
          }
        </QueryPanel>
      </Part>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** Nothing where the step was never pushed back. */
function PushBacks({ address }: { readonly address: DecisionAddress }): ReactElement | null {
  const t = useApprovalsMessages();
  const { data } = useQuery(runOfDecisionQuery(address));
  const node = data?.dagRunDetails.nodes.find(({ step }) => step.name === address.step);
  const { pushBackHistory = [] } = node ?? {};
  if (pushBackHistory.length === 0) return null;
  return (
    <Part title={t('approvals.history')}>
      <ol>
        {pushBackHistory.map((entry) => (
          <PushBack key={entry.iteration} entry={entry} />
        ))}
      </ol>
    </Part>
  );
}

function PushBack({ entry: { iteration, by, at, inputs = {} } }: { readonly entry: Schemas['PushBackHistoryEntry'] }) {
  const t = useApprovalsMessages();
  return (
    <li>
      {t('approvals.history.entry', { iteration, by: by ?? '?' })} <Time value={at} />{' '}
      <span className={styles.inputs}>
        {Object.entries(inputs)
          .map(([name, value]) => `${name}=${value}`)
          .join(' ')}
      </span>
    </li>
  );
}
