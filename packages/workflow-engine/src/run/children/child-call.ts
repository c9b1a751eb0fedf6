import type { RunSource } from '../../model/run-model/create-run';
import type { DagRun } from '../../model/run-model/dag-run';
import { anyWorker, resolveSelector } from '../../model/run-model/worker-selector';
import type { PackagedAction, Step } from '@weir/workflow-spec';
import { resolveField, resolveGivenParams, type Scope } from '@weir/workflow-spec/values';

/** One call of a DAG, with its references replaced. */
export interface ChildCall {
  readonly dag: string;
  /** The packaged action whose DAG it is. */
  readonly package?: PackagedAction | undefined;
  /** The DAG itself, when it is found already. */
  readonly source?: RunSource;
  readonly params: string;
  /** The queue that was asked for; only of a run that the step does not wait for. */
  readonly queue?: string | undefined;
  /** The selector of the step; that of the DAG where it has none. */
  readonly selector?: string | undefined;
  /** Whether it is one of several calls at the same time. */
  readonly isOneOfMany: boolean;
  /** How many equal calls the same attempt has made before; each is a run of its own. Default: none. */
  readonly repetition?: number;
  /** Whether a command has made it, which cannot wait for a person without its process. */
  readonly isByCommand?: boolean;
}

/** A call without parameters passes on the item itself. */
const wholeItem = '${ITEM}';

export function toChildCall({ run, workerSelector, parallel }: Step, scope: Scope): ChildCall {
  const { dag, params, queue } = run.kind === 'action' ? run.with : {};
  const packaged = run.kind === 'action' ? run.package : undefined;
  return {
    dag: packaged?.text ?? resolveField(typeof dag === 'string' ? dag : '', scope),
    package: packaged,
    params: resolveGivenParams(params ?? (scope.item === undefined ? '' : wholeItem), scope),
    queue: typeof queue === 'string' ? resolveField(queue, scope) : undefined,
    selector: toSelector(workerSelector, scope),
    isOneOfMany: parallel !== undefined && parallel.maxConcurrent !== 1,
  };
}

/** `local` is the worker of the run, which has the labels of its DAG. */
function toSelector(selector: Step['workerSelector'], scope: Scope): string | undefined {
  if (selector === undefined) return undefined;
  return selector === 'local' ? anyWorker : resolveSelector(selector, scope);
}

/** Others wrote a packaged action, and it gets nothing that its caller does not pass. */
export function inheritedProfile(
  { profile, profileLayers }: Pick<DagRun, 'profile' | 'profileLayers'>,
  { package: packaged }: Pick<ChildCall, 'package'>,
): Pick<DagRun, 'profile' | 'profileLayers'> {
  return packaged === undefined ? { profile, profileLayers } : { profile: null, profileLayers: [] };
}

/** Equal calls are one run. */
export function distinctCalls(calls: readonly ChildCall[]): readonly ChildCall[] {
  return [...new Map(calls.map((call) => [JSON.stringify([call.dag, call.params]), call])).values()];
}
