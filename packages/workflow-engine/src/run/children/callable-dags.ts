import type { JsonObject } from '@weir/workflow-spec';
import { paramsJsonSchema } from '@weir/workflow-spec/values';
import type { CallableDags } from '../../actions/call/callable-dags';
import { isStoreFailure } from '../../model/ports/lease-lost';
import type { StepExecution } from '../../scope/loop/step-execution';
import type { RunContext } from '../context/run-context';
import { findChildSource } from './child-source';
import { runChild } from './run-child';

/** The DAGs that the work of a step may start. It waits in this process, so it cannot wait for a person. */
export function createCallableDags(context: RunContext, execution: StepExecution): CallableDags {
  const counts = new Map<string, number>();
  return {
    describe: async (name) => {
      const { dag } = await findChildSource(context, execution.values, name);
      return { description: dag.description ?? '', parameters: paramsJsonSchema(dag) };
    },
    run: async (name, params, signal) => {
      const key = JSON.stringify([name, params]);
      const repetition = counts.get(key) ?? 0;
      counts.set(key, repetition + 1);
      const call = { dag: name, params, isOneOfMany: false, repetition, isByCommand: true };
      try {
        const { run, result } = await runChild(context, { ...execution, signal }, call);
        return { dagRunId: run.dagRunId, status: run.status, outputs: result.outputs as JsonObject };
      } catch (error) {
        if (isStoreFailure(error)) context.abandon(error);
        throw error;
      }
    },
  };
}
