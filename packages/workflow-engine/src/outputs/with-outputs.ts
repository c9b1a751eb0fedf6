import { AppError } from '@weir/errors';
import { collectOutputs } from './collect-outputs';
import { collectsOutputs, type StepOutputs } from './step-outputs';
import { isSuccessfulNode } from '../statuses';
import { outputStreams } from './stream-copies';
import { stepOutputFile } from '../logs/log-layout';
import type { StepExecutor, StepOutcome } from '../scope/step-ports';
import type { DagRunStep } from '../run-model/dag-run';
import { resolveField } from '@weir/workflow-spec';
import type { OutputEvaluator } from '../ports/output-evaluator';
import { resolveArtifact } from '../artifacts/artifacts-folder';
import type { ScopeOutputs } from './scope-outputs';
import { resolveFolder } from '../values/run-values';
import { resolveStep, type StepCommandOptions } from '../steps/step-command';

export interface WithOutputsOptions extends Pick<StepCommandOptions, 'dag' | 'values'> {
  readonly steps: readonly DagRunStep[];
  readonly outputs: ScopeOutputs;
  readonly evaluator: OutputEvaluator;
}

const defaultMaxOutputBytes = 1_048_576;

/** Gives each outcome the outputs of its attempt, whatever carries the step out. */
export function withOutputs(executor: StepExecutor, options: WithOutputsOptions): StepExecutor {
  const { dag, steps, outputs, evaluator } = options;
  return {
    execute: async (step, context) => {
      const { index, signal } = context;
      if (!collectsOutputs(step)) return bounded(await executor.execute(step, context), index, outputs);
      const files = steps[index];
      if (files === undefined) throw new AppError('internal', 'A step to be carried out is not stored.');
      const collection = await collectOutputs(step, {
        ...outputStreams(step, files),
        outputFile: stepOutputFile(files.stdoutFile),
        maxBytes: dag.maxOutputSize ?? defaultMaxOutputBytes,
        evaluate: (request, stop) => evaluator.evaluate(request, stop),
        resolvePath: (text) => {
          const { cwd, scope } = resolveStep({ ...options, upstream: outputs.findUpstream(index) }, step, files);
          return resolveFolder(cwd, text, scope);
        },
        resolveArtifact: (text) => {
          const { scope } = resolveStep({ ...options, upstream: outputs.findUpstream(index) }, step, files);
          return resolveArtifact(options.values.info.artifactsDir, resolveField(text, scope));
        },
      });
      const executed = await executor.execute(step, context);
      const collected = await collection.finish(executed, signal);
      return bounded(withPublished(collected, executed.outputs), index, outputs);
    },
  };
}

/** What an action published itself stays beside what was collected. */
function withPublished(outcome: StepOutcome, published: StepOutputs | undefined): StepOutcome {
  if (published === undefined || !isSuccessfulNode(outcome.status)) return outcome;
  const { outputs = published } = outcome;
  if (outputs === published) return outcome;
  return { ...outcome, outputs: { ...outputs, declared: [...outputs.declared, ...published.declared] } };
}

/** Thousands of steps with a megabyte each are more than one run may keep. */
function bounded(outcome: StepOutcome, index: number, known: ScopeOutputs): StepOutcome {
  if (outcome.outputs === undefined || known.reserve(index, outcome.outputs)) return outcome;
  const none = { ...outcome, outputs: { fields: [], declared: [] } };
  if (!isSuccessfulNode(outcome.status)) return none;
  return { ...none, status: 'failed', error: 'The outputs of the run are too large together.' };
}
