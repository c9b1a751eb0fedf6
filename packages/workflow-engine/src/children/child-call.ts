import { resolveField, resolveGivenParams, type Scope, type Step } from '@weir/workflow-spec';

/** One call of a DAG, with its references replaced. */
export interface ChildCall {
  readonly dag: string;
  readonly params: string;
  /** The queue that was asked for; only of a run that the step does not wait for. */
  readonly queue?: string | undefined;
}

export function toChildCall({ run }: Step, scope: Scope): ChildCall {
  const { dag, params, queue } = run.kind === 'action' ? run.with : {};
  return {
    dag: resolveField(typeof dag === 'string' ? dag : '', scope),
    params: params === undefined ? '' : resolveGivenParams(params, scope),
    queue: typeof queue === 'string' ? resolveField(queue, scope) : undefined,
  };
}

/** Equal calls are one run. */
export function distinctCalls(calls: readonly ChildCall[]): readonly ChildCall[] {
  return [...new Map(calls.map((call) => [JSON.stringify([call.dag, call.params]), call])).values()];
}
