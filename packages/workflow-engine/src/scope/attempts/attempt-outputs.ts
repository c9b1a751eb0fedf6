import type { Dag, OutputSource } from '@weir/workflow-spec';
import { resolveField, resolveText, type Scope } from '@weir/workflow-spec/values';
import { resolveArtifact } from '../../host/artifacts/artifacts-folder';
import { stepOutputFile } from '../../model/run-model/log-layout';
import type { OutputEvaluator } from '../../values/outputs/output-evaluator';
import type { StepExecution } from '../loop/step-execution';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { nodeStatus } from '../../model/statuses/node-status';
import { resolveStep } from '../../values/run-values/resolve-step';
import { resolveTexts } from '../../values/text/resolve-texts';
import { resolveFolder } from '../../values/run-values/run-values';
import { collectOutputs, type OutputCollection } from './collect-outputs';
import { collectsOutputs, type StepOutputs } from '../../model/run-model/step-outputs';
import { outputStreams } from '../../values/outputs/stream-copies';

/** The outputs of an attempt need these of their run. */
export interface AttemptOutputsContext {
  readonly ports: { readonly outputEvaluator: OutputEvaluator };
  readonly dag: Pick<Dag, 'maxOutputSize'>;
}

/** The outputs of one attempt, whichever executor they come from. */
export interface AttemptOutputs {
  /** The outcome of the attempt with its outputs. */
  addTo(outcome: StepOutcome): Promise<StepOutcome>;
}

const defaultMaxOutputBytes = 1_048_576;

/** To be called before the attempt executes, so that output of earlier attempts is ignored. */
export async function openAttemptOutputs(
  context: AttemptOutputsContext,
  execution: StepExecution,
): Promise<AttemptOutputs> {
  if (!collectsOutputs(execution.step)) return { addTo: (outcome) => Promise.resolve(bounded(outcome, execution)) };
  const collection = await openCollection(context, execution);
  return {
    addTo: async (outcome) => {
      const collected = await collection.finish(outcome, execution.signal);
      return bounded(withPublished(collected, outcome.outputs), execution);
    },
  };
}

function openCollection({ ports, dag }: AttemptOutputsContext, execution: StepExecution): Promise<OutputCollection> {
  const { step, stored, values } = execution;
  return collectOutputs(step, {
    ...outputStreams(step, stored),
    outputFile: stepOutputFile(stored.stdoutFile),
    maxBytes: dag.maxOutputSize ?? defaultMaxOutputBytes,
    evaluate: (request, stop) => ports.outputEvaluator.evaluate(request, stop),
    resolvePath: (text) => {
      const { cwd, scope } = resolveStep(execution);
      const resolved = resolveFolder(cwd, text, scope);
      values.enclosure?.assertOpen(resolved);
      return resolved;
    },
    resolveArtifact: (text) =>
      resolveArtifact(values.info.artifactsDir, resolveField(text, resolveStep(execution).scope)),
    resolveSource: (source) => resolveSource(source, resolveStep(execution).scope),
  });
}

function resolveSource(source: OutputSource, scope: Scope): OutputSource {
  if (source.kind === 'literal') return { ...source, value: resolveTexts(source.value, scope) };
  return source.select === undefined ? source : { ...source, select: resolveText(source.select, scope) };
}

/** Outputs that an action published itself are retained together with those that were collected. */
function withPublished(outcome: StepOutcome, published: StepOutputs | undefined): StepOutcome {
  if (published === undefined || !nodeStatus.isSuccessful(outcome.status)) return outcome;
  const { outputs = published } = outcome;
  if (outputs === published) return outcome;
  return { ...outcome, outputs: { ...outputs, declared: [...outputs.declared, ...published.declared] } };
}

/** Thousands of steps with a megabyte each are more than one run may keep. */
function bounded(outcome: StepOutcome, { index, scope }: StepExecution): StepOutcome {
  if (outcome.outputs === undefined || scope.outputs.reserve(index, outcome.outputs)) return outcome;
  const none = { ...outcome, outputs: { fields: [], declared: [] } };
  if (!nodeStatus.isSuccessful(outcome.status)) return none;
  return { ...none, status: 'failed', error: 'The outputs of the run are too large together.' };
}
