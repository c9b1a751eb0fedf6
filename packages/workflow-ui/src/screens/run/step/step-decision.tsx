import { Time } from '@weir/ui-kit/app';
import { Suspense, type ReactElement } from 'react';
import type { Decision } from '../../../parts/decision/decision';
import { useRefusal } from '../../../parts/use-refusal';
import type { RunAddress } from '../../../parts/run/run-address';
import type { Node, Run } from '../../../parts/run/run-data';
import { useRunMessages } from '../../../parts/run/run-messages';
import { Part } from './part';
import styles from './step-panel.module.css';
import { lazyPart } from '../../../parts/lazy-part';

// Few steps need the form.
const DecisionForm = lazyPart(() => import('../../../parts/decision/decision-form'), 'DecisionForm');

export interface StepDecisionProps {
  readonly address: RunAddress;
  readonly run: Run;
  readonly node: Node;
}

/** The question to a person about the step, or the decision. */
export function StepDecision({ address, run, node }: StepDecisionProps): ReactElement | null {
  const t = useRunMessages();
  const refusal = useRefusal('approveDAGRunStep', run.workspace);
  const decision = node.statusLabel === 'waiting' ? toDecision(address, run, node) : undefined;
  if (decision === undefined) return <Decided node={node} />;
  return (
    <Part title={t(decision.kind === 'approval' ? 'run.approval' : 'run.task')}>
      <Suspense fallback={null}>
        <DecisionForm key={node.step.name} decision={decision} refusal={refusal} />
      </Suspense>
    </Part>
  );
}

function Decided({ node }: { readonly node: Node }): ReactElement | null {
  const t = useRunMessages();
  const { approvedBy, approvedAt, rejectedBy, rejectedAt, rejectionReason, humanTaskCompletedBy, approvalInputs } =
    node;
  const inputs = Object.entries(approvalInputs ?? {});
  const by = approvedBy ?? rejectedBy ?? humanTaskCompletedBy;
  if (by === undefined) return null;
  const kind = rejectedBy !== undefined ? 'rejected' : humanTaskCompletedBy === undefined ? 'approved' : 'completed';
  return (
    <Part title={t('run.decision')}>
      <p>
        {t(`run.decision.${kind}`, { name: by })} <Time value={rejectedAt ?? approvedAt} />
      </p>
      {rejectionReason === undefined ? null : <blockquote className={styles.note}>{rejectionReason}</blockquote>}
      {inputs.length === 0 ? null : (
        <dl className={styles.pairs}>
          {inputs.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Part>
  );
}

function toDecision({ name, runId, sub }: RunAddress, run: Run, { step }: Node): Decision | undefined {
  const base = {
    name,
    dagRunId: runId,
    dagName: run.name,
    step: step.name,
    ...(sub === undefined ? {} : { subDAGRunId: sub }),
    ...(step.id === undefined ? {} : { stepId: step.id }),
  };
  if (step.approval !== undefined) return { ...base, kind: 'approval', ...step.approval };
  if (step.executorConfig?.type !== 'human.task') return undefined;
  const { prompt, form, rewind_to: written } = step.executorConfig.config ?? {};
  const [before, ...others] = step.depends ?? [];
  const rewindTo = typeof written === 'string' ? written : others.length === 0 ? before : undefined;
  return {
    ...base,
    kind: 'human_task',
    ...(typeof prompt === 'string' ? { prompt } : {}),
    ...(rewindTo === undefined ? {} : { rewindTo }),
    ...(typeof form === 'object' && form !== null ? { form: { ...form } } : {}),
  };
}
