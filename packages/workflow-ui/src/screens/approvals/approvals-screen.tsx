import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { ArrowLeft } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { decisionKey, useOpenDecisions, type OpenDecision } from '../../api/open-decisions';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { isInScope } from '../../parts/workspace/workspace-search';
import { useRefusal } from '../../parts/use-refusal';
import { ScreenHeader } from '../../parts/screen-header';
import { DecisionContext } from './decision-context';
import { DecisionForm } from '../../parts/decision/decision-form';
import { useApprovalsMessages } from './approvals-messages';
import { DecisionList } from './decision-list';
import styles from './approvals.module.css';

/** Everything that waits for a person. The address has the chosen item, so that a mail can link to its form. */
export function ApprovalsScreen(): ReactElement {
  const t = useApprovalsMessages();
  const query = useOpenDecisions();
  const scope = useWorkspaceScope();
  const count = query.data?.items.filter((item) => isInScope(scope, item)).length;
  return (
    <div className={styles.screen}>
      <ScreenHeader
        title={t('approvals.title')}
        note={count === undefined ? undefined : t('approvals.count', { count })}
      />
      <QueryPanel query={query}>
        {({ items, ...page }) => <Inbox page={{ ...page, items: items.filter((item) => isInScope(scope, item)) }} />}
      </QueryPanel>
    </div>
  );
}

function Inbox({ page: { items, nextCursor } }: { readonly page: Schemas['OpenDecisionsPageResponse'] }): ReactElement {
  const t = useApprovalsMessages();
  const { item } = useSearch({ from: '/approvals' });
  if (items.length === 0 && item === undefined) {
    return <EmptyState title={t('approvals.empty.title')}>{t('approvals.empty.text')}</EmptyState>;
  }
  const chosen = items.find((decision) => decisionKey(decision) === item);
  return (
    <div className={styles.inbox} data-chosen={item !== undefined}>
      <div className={styles.list}>
        <DecisionList decisions={items} chosen={chosen} />
        {nextCursor === undefined ? null : <p className={styles.note}>{t('approvals.more')}</p>}
      </div>
      <div className={styles.detail}>
        <Link to="/approvals" className={styles.back}>
          <ArrowLeft aria-hidden size={16} /> {t('approvals.back')}
        </Link>
        {chosen === undefined ? <NothingChosen isGone={item !== undefined} /> : <Detail decision={chosen} />}
      </div>
    </div>
  );
}

function NothingChosen({ isGone }: { readonly isGone: boolean }): ReactElement {
  const t = useApprovalsMessages();
  const state = isGone ? 'gone' : 'choose';
  return <EmptyState title={t(`approvals.${state}.title`)}>{t(`approvals.${state}.text`)}</EmptyState>;
}

function Detail({ decision }: { readonly decision: OpenDecision }): ReactElement {
  const t = useApprovalsMessages();
  const navigate = useNavigate();
  const key = decisionKey(decision);
  const refusal = useRefusal(
    decision.kind === 'approval' ? 'approveDAGRunStep' : 'completeHumanTask',
    decision.workspace,
  );
  return (
    <article key={key} className={styles.article} aria-label={`${decision.dagName} ${decision.step}`}>
      <header>
        <h2>
          {decision.dagName} <span className={styles.step}>{decision.step}</span>
        </h2>
        <p className={styles.note}>
          {t('approvals.run')} <code>{decision.dagRunId}</code>
          {decision.subDAGRunId === undefined ? null : <> {t('approvals.child', { name: decision.name })}</>}
        </p>
      </header>
      <DecisionForm
        key={key}
        decision={decision}
        refusal={refusal}
        onDecided={() => void navigate({ to: '/approvals', search: {} })}
      />
      <DecisionContext address={decision} />
    </article>
  );
}
