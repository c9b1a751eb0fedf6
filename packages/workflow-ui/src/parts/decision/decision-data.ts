import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import type { FieldValue } from '../schema-form/schema-fields';
import type { Decision } from './decision';

type Values = Readonly<Record<string, FieldValue>>;

export type DecisionAction =
  | { readonly kind: 'approve' | 'complete'; readonly values: Values }
  | { readonly kind: 'push-back'; readonly values: Values; readonly comment?: string }
  | { readonly kind: 'reject'; readonly reason: string };

/**
 * Sends a decision; the data of the page is read again. `onDecided` is called even if the decision has already left
 * the page, because the stream of events may be faster than the answer.
 */
export function useDecide(decision: Decision, onDecided?: (action: DecisionAction) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: DecisionAction): Promise<unknown> => send(decision, action),
    ...(onDecided === undefined ? {} : { onSuccess: (_data, action) => onDecided(action) }),
    onSettled: () => client.invalidateQueries(),
  });
}

function send(decision: Decision, action: DecisionAction): Promise<unknown> {
  if (action.kind === 'complete') return complete(decision, action.values);
  const { name, dagRunId, subDAGRunId, step: stepName } = decision;
  const path = { name, dagRunId, stepName };
  return subDAGRunId === undefined ? decideInRun(path, action) : decideInChild({ ...path, subDAGRunId }, action);
}

/** A task of a child run is addressed by that run itself. */
function complete(decision: Decision, values: Values): Promise<unknown> {
  const { dagName, dagRunId, subDAGRunId = dagRunId, stepId = decision.step } = decision;
  const path = { name: dagName, dagRunId: subDAGRunId, stepId };
  const body = { ...values };
  return unwrap(api.POST('/dag-runs/{name}/{dagRunId}/human-tasks/{stepId}/complete', { params: { path }, body }));
}

interface StepPath {
  readonly name: string;
  readonly dagRunId: string;
  readonly stepName: string;
}
type ApprovalAction = Exclude<DecisionAction, { readonly kind: 'complete' }>;

function decideInRun(path: StepPath, action: ApprovalAction): Promise<unknown> {
  const params = { path };
  if (action.kind === 'reject') {
    const body = toRejection(action.reason);
    return unwrap(api.POST('/dag-runs/{name}/{dagRunId}/steps/{stepName}/reject', { params, body }));
  }
  const body = toBody(action);
  return unwrap(
    action.kind === 'approve'
      ? api.POST('/dag-runs/{name}/{dagRunId}/steps/{stepName}/approve', { params, body })
      : api.POST('/dag-runs/{name}/{dagRunId}/steps/{stepName}/push-back', { params, body }),
  );
}

const childStep = '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}';

function decideInChild(path: StepPath & { readonly subDAGRunId: string }, action: ApprovalAction): Promise<unknown> {
  const params = { path };
  if (action.kind === 'reject') {
    return unwrap(api.POST(`${childStep}/reject`, { params, body: toRejection(action.reason) }));
  }
  const body = toBody(action);
  return unwrap(
    action.kind === 'approve'
      ? api.POST(`${childStep}/approve`, { params, body })
      : api.POST(`${childStep}/push-back`, { params, body }),
  );
}

function toRejection(reason: string): { readonly reason?: string } {
  return reason.trim() === '' ? {} : { reason };
}

function toBody(action: Exclude<ApprovalAction, { readonly kind: 'reject' }>) {
  const comment = action.kind === 'push-back' ? action.comment?.trim() : undefined;
  return { inputs: toTexts(action.values), ...(comment ? { comment } : {}) };
}

function toTexts(values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
