import type { Dag, ResolvedParam } from '@weir/workflow-spec';
import { resolveConsts, resolveEnv, resolveField, type Scope } from '@weir/workflow-spec/values';
import { AppError } from '@weir/foundation';

/** Labels of a worker by their names. */
export type WorkerLabels = Readonly<Record<string, string>>;

/** Every worker may execute what has this selector. */
export const anyWorker = '{}';

/** Labels as one text, equal for equal labels: a JSON object with sorted names. */
export function selectorText(labels: WorkerLabels): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  );
}

/** The labels of a text that `selectorText` made. */
export function selectorLabels(selector: string): WorkerLabels {
  // Only this file writes it.
  return JSON.parse(selector) as WorkerLabels;
}

/** Whether a worker with these labels has all that the selector asks for. */
export function matchesSelector(selector: string, labels: WorkerLabels): boolean {
  return Object.entries(selectorLabels(selector)).every(([name, value]) => labels[name] === value);
}

/**
 * The selector of a new run of the DAG, its references replaced by parameters, constants and the `env` of the DAG.
 * Throws `worker_selector_unusable` when a value is not known yet.
 */
export function runSelector(
  { workerSelector, consts, env }: Pick<Dag, 'workerSelector' | 'consts' | 'env'>,
  params: readonly ResolvedParam[],
): string {
  if (workerSelector === undefined || workerSelector === 'local') return anyWorker;
  const values = new Map(params.map(({ name, value }) => [name, value]));
  const scope: Scope = { params: values, env: values, consts: resolveConsts(consts ?? []) };
  return resolveSelector(workerSelector, { ...scope, env: new Map([...values, ...resolveEnv(env, scope)]) });
}

/** A selector with its references replaced. Throws `worker_selector_unusable` when a value is not known. */
export function resolveSelector(labels: WorkerLabels, scope: Scope): string {
  const resolve = (text: string): string => {
    const unresolved: string[] = [];
    const value = resolveField(text, { ...scope, unresolved: (reference) => unresolved.push(reference) });
    const [first] = unresolved;
    if (first === undefined) return value;
    throw new AppError('invalid_request', `The worker_selector cannot be used: ${first} is not known yet.`, {
      reason: 'worker_selector_unusable',
    });
  };
  return selectorText(Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, resolve(value)])));
}
