import { AppError } from '@weir/errors';
import {
  collectOutputs,
  collectsOutputs,
  isSuccessfulNode,
  outputStreams,
  stepOutputFile,
  type StepExecutor,
  type StepOutcome,
  type StepOutputs,
} from '@weir/workflow-engine';
import { resolveField } from '@weir/workflow-spec';
import type { OutputEvaluator } from '../../output-thread';
import type { DagRunStep } from '../dag-runs';
import { placeArtifact } from './artifacts-folder';
import type { RunOutputs } from './run-outputs';
import { resolveFolder } from './run-values';
import { stepPlace, type StepCommandOptions } from './step-command';

export interface WithOutputsOptions extends Pick<StepCommandOptions, 'dag' | 'values'> {
  readonly steps: readonly DagRunStep[];
  readonly outputs: RunOutputs;
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
          const { cwd, scope } = stepPlace({ ...options, upstream: outputs.upstreamOf(index) }, step, files);
          return resolveFolder(cwd, text, scope);
        },
        placeArtifact: (text) => {
          const { scope } = stepPlace({ ...options, upstream: outputs.upstreamOf(index) }, step, files);
          return placeArtifact(options.values.facts.artifactsDir, resolveField(text, scope));
        },
      });
      const carriedOut = await executor.execute(step, context);
      const finished = await collection.finish(carriedOut, signal);
      return bounded(withPublished(finished, carriedOut.outputs), index, outputs);
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
function bounded(outcome: StepOutcome, index: number, known: RunOutputs): StepOutcome {
  if (outcome.outputs === undefined || known.reserve(index, outcome.outputs)) return outcome;
  const none = { ...outcome, outputs: { fields: [], declared: [] } };
  if (!isSuccessfulNode(outcome.status)) return none;
  return { ...none, status: 'failed', error: 'The outputs of the run are too large together.' };
}
