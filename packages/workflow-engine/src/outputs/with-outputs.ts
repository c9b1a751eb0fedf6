import { resolveField } from '@weir/workflow-spec';
import { resolveArtifact } from '../artifacts/artifacts-folder';
import { stepOutputFile } from '../logs/log-layout';
import type { RunContext } from '../run/run-context';
import { getStoredStep, type ActiveScope } from '../scope/active-scope';
import type { StepExecutor, StepOutcome } from '../scope/step-ports';
import { nodeStatus } from '../statuses/node-status';
import { resolveStep } from '../steps/resolve-step';
import { resolveFolder } from '../values/run-values';
import { collectOutputs } from './collect-outputs';
import type { ScopeOutputs } from './scope-outputs';
import { collectsOutputs, type StepOutputs } from './step-outputs';
import { outputStreams } from './stream-copies';

const defaultMaxOutputBytes = 1_048_576;

/** Adds the outputs of the attempt to each outcome, whichever executor it comes from. */
export function withOutputs(executor: StepExecutor, { ports, dag }: RunContext, scope: ActiveScope): StepExecutor {
  const { outputs, values } = scope;
  return {
    execute: async (step, context) => {
      const { index, signal } = context;
      if (!collectsOutputs(step)) return bounded(await executor.execute(step, context), index, outputs);
      const stored = getStoredStep(scope, index);
      const resolve = () => resolveStep({ step, stored, values, upstream: outputs.findUpstream(index) });
      const collection = await collectOutputs(step, {
        ...outputStreams(step, stored),
        outputFile: stepOutputFile(stored.stdoutFile),
        maxBytes: dag.maxOutputSize ?? defaultMaxOutputBytes,
        evaluate: (request, stop) => ports.outputEvaluator.evaluate(request, stop),
        resolvePath: (text) => {
          const resolved = resolve();
          return resolveFolder(resolved.cwd, text, resolved.scope);
        },
        resolveArtifact: (text) => resolveArtifact(values.info.artifactsDir, resolveField(text, resolve().scope)),
      });
      const executed = await executor.execute(step, context);
      const collected = await collection.finish(executed, signal);
      return bounded(withPublished(collected, executed.outputs), index, outputs);
    },
  };
}

/** What an action published itself stays beside what was collected. */
function withPublished(outcome: StepOutcome, published: StepOutputs | undefined): StepOutcome {
  if (published === undefined || !nodeStatus.isSuccessful(outcome.status)) return outcome;
  const { outputs = published } = outcome;
  if (outputs === published) return outcome;
  return { ...outcome, outputs: { ...outputs, declared: [...outputs.declared, ...published.declared] } };
}

/** Thousands of steps with a megabyte each are more than one run may keep. */
function bounded(outcome: StepOutcome, index: number, known: ScopeOutputs): StepOutcome {
  if (outcome.outputs === undefined || known.reserve(index, outcome.outputs)) return outcome;
  const none = { ...outcome, outputs: { fields: [], declared: [] } };
  if (!nodeStatus.isSuccessful(outcome.status)) return none;
  return { ...none, status: 'failed', error: 'The outputs of the run are too large together.' };
}
