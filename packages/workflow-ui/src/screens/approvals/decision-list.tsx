import { useNavigate } from '@tanstack/react-router';
import { IconButton, StatusShape, Tooltip, useToast } from '@weir/ui-kit';
import { Check } from 'lucide-react';
import type { ReactElement } from 'react';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import { useDecide } from '../../parts/decision/decision-data';
import { decisionKey, type OpenDecision } from '../../api/open-decisions';
import { useRefusal } from '../../parts/use-refusal';
import { Age } from '../../parts/age';
import { useApprovalsMessages } from './approvals-messages';
import styles from './approvals.module.css';

export interface DecisionListProps {
  readonly decisions: readonly OpenDecision[];
  readonly chosen: OpenDecision | undefined;
}

/** A row for each decision; those without input can be approved in the list. */
export function DecisionList({ decisions, chosen }: DecisionListProps): ReactElement {
  const t = useApprovalsMessages();
  const navigate = useNavigate();
  return (
    <GridList aria-label={t('approvals.list')} className={styles.rows ?? ''}>
      {decisions.map((decision) => {
        const key = decisionKey(decision);
        return (
          <GridListItem
            key={key}
            id={key}
            textValue={`${decision.dagName} ${decision.step}`}
            className={styles.row ?? ''}
            data-chosen={decision === chosen}
            onAction={() => void navigate({ to: '/approvals', search: { item: key } })}
          >
            <StatusShape kind="waiting" />
            <span className={styles.text}>
              <span className={styles.line}>
                <strong>{decision.dagName}</strong>
                {decision.since === undefined ? null : <Age value={decision.since} />}
              </span>
              <span className={styles.muted}>
                {t(decision.kind === 'approval' ? 'approvals.approval' : 'approvals.task')} · {decision.step}
              </span>
              <span className={styles.prompt}>{decision.prompt}</span>
            </span>
            {isPlain(decision) ? <ApproveNow decision={decision} /> : null}
          </GridListItem>
        );
      })}
    </GridList>
  );
}

function isPlain({ kind, required = [] }: OpenDecision): boolean {
  return kind === 'approval' && required.length === 0;
}

function ApproveNow({ decision }: { readonly decision: OpenDecision }): ReactElement {
  const t = useApprovalsMessages();
  const toast = useToast();
  const { mutate, isPending } = useDecide(decision);
  const disabledReason = useRefusal('approveDAGRunStep', decision.workspace);
  const label = t('approvals.approveNow', { step: decision.step });
  return (
    <Tooltip text={label}>
      <IconButton
        icon={<Check aria-hidden size={16} />}
        label={label}
        isPending={isPending}
        disabledReason={disabledReason}
        onPress={() =>
          mutate({ kind: 'approve', values: {} }, { onError: ({ message }) => toast({ message, tone: 'failed' }) })
        }
      />
    </Tooltip>
  );
}
