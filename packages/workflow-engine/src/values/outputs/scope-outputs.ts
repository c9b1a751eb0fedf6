import { nodeStatus } from '../../model/statuses/node-status';
import { outputBytes, type StepOutputs } from '../../model/run-model/step-outputs';
import { findUpstream } from './upstream';
import type { Environment } from '../environment/run-variables';
import type { Plan } from '../../model/plan/plan';
import type { StepChange } from '../../model/steps/step-change';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { DagRunStep } from '../../model/run-model/dag-run';
import type { JsonValue, Step } from '@weir/workflow-spec';
import type { StepValues } from '@weir/workflow-spec/values';

/** A step may use these of the steps that it depends on, directly or not. */
export interface Upstream {
  /** The variables that they published. */
  readonly env: Environment;
  /** The values of the steps, by their IDs. */
  readonly steps: ReadonlyMap<string, StepValues>;
}

/** The outputs of a scope that are known so far. */
export interface ScopeOutputs {
  findUpstream(index: number): Upstream;
  /** Returns the outputs of all steps that have ended. */
  all(): Upstream;
  /** Must be called once the changes are stored: nothing may build on what a crash would lose. */
  applyStored(changes: readonly StepChange[]): void;
  /** Reserves memory for the outputs of an attempt; false when they exceed the limit of the scope. */
  reserve(index: number, outputs: StepOutputs): boolean;
}

export interface ScopeOutputsOptions {
  readonly plan: Plan;
  /** The steps as stored when the run was claimed. */
  readonly steps: readonly DagRunStep[];
  readonly outputs: ReadonlyMap<number, StepOutputs>;
  /**
   * Outputs that all these steps may use in addition to each other's: in the body of a loop, those of the steps before
   * the loop.
   */
  readonly inherited?: Upstream | undefined;
  /** Limits all steps together. */
  readonly maxBytes?: number;
}

interface Ended {
  readonly exitCode?: number;
  readonly outputs?: StepOutputs;
}

const defaultMaxBytes = 67_108_864;

export function createScopeOutputs(options: ScopeOutputsOptions): ScopeOutputs {
  const { plan, steps, outputs, inherited, maxBytes = defaultMaxBytes } = options;
  const ended = new Map(
    steps
      .filter((step) => hasValues(step, outputs))
      .map((step) => [step.position, toEnded(step.exitCode ?? undefined, outputs.get(step.position))]),
  );
  const sizes = new Map([...outputs].map(([index, each]) => [index, outputBytes(each)]));
  let total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const collectUpstream = (indexes: readonly number[]): Upstream => {
    const before = indexes.flatMap((index) => {
      const found = ended.get(index);
      return found === undefined ? [] : [{ at: index, ...found }];
    });
    // In this order the later one wins.
    const variables = before.flatMap(({ at, outputs: each }) => [
      ...(each?.variable === undefined ? [] : [each.variable]),
      ...readAnswers(steps[at]),
    ]);
    const own = before.flatMap(({ at, ...found }) => {
      const step = plan.steps[at];
      const files = steps[at];
      return step?.id === undefined || files === undefined
        ? []
        : [[step.id, toStepValues(step, found, files)] as const];
    });
    return {
      env: { ...inherited?.env, ...Object.fromEntries(variables.map(({ name, value }) => [name, value])) },
      steps: new Map([...(inherited?.steps ?? []), ...own]),
    };
  };
  return {
    findUpstream: (index) => collectUpstream(findUpstream(plan, index)),
    all: () => collectUpstream([...plan.steps.keys()]),
    applyStored: (changes) => {
      for (const change of changes) {
        if (change.kind === 'starting') ended.delete(change.index);
        if (change.kind === 'ended') {
          ended.set(change.index, toEnded(change.outcome.exitCode, change.outcome.outputs));
        }
      }
    },
    reserve: (index, published) => {
      const bytes = outputBytes(published);
      const others = total - (sizes.get(index) ?? 0);
      if (others + bytes > maxBytes) return false;
      sizes.set(index, bytes);
      total = others + bytes;
      return true;
    },
  };
}

/** The inputs of an approval, as variables. */
function readAnswers(step: DagRunStep | undefined): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(step?.decisions?.inputs ?? {}).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}

/** A skipped step has values when its run was started with outputs for it. */
function hasValues({ status, startedAt, position }: DagRunStep, outputs: ReadonlyMap<number, StepOutputs>): boolean {
  return nodeStatus.isTerminal(status) && (startedAt !== null || outputs.has(position));
}

function toEnded(exitCode: number | undefined, outputs: StepOutputs | undefined): Ended {
  return { ...(exitCode === undefined ? {} : { exitCode }), ...(outputs === undefined ? {} : { outputs }) };
}

function toStepValues(step: Step, { exitCode, outputs }: Ended, { stdoutFile, stderrFile }: DagRunStep): StepValues {
  const own = readOwnOutput(outputs);
  const collected = readCollected(step, outputs);
  return {
    stdout: stdoutFile,
    stderr: stderrFile,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(own === undefined ? {} : { output: own }),
    outputs: new Map(listNamedOutputs(outputs)),
    ...(collected === undefined ? {} : { collected }),
  };
}

/** All outputs together; of a call, those of the runs that it called. */
function readCollected({ run }: Step, outputs: StepOutputs | undefined): JsonValue | undefined {
  const named = listNamedOutputs(outputs);
  const isCall = run.kind === 'action' && run.action === 'dag.run' && run.package === undefined;
  if (isCall) return named.find(([name]) => name === 'outputs')?.[1];
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

/** The value of `output`: the text of its variable, or all its fields. */
function readOwnOutput(outputs: StepOutputs | undefined): JsonValue | undefined {
  if (outputs?.variable !== undefined) return outputs.variable.value;
  if (outputs === undefined || outputs.fields.length === 0) return undefined;
  return Object.fromEntries(outputs.fields.map(({ name, value }) => [name, value]));
}

function listNamedOutputs(outputs: StepOutputs | undefined): readonly (readonly [string, JsonValue])[] {
  if (outputs === undefined) return [];
  const { variable, fields, declared } = outputs;
  const named = [...(variable === undefined ? [] : [variable]), ...fields, ...declared];
  return named.map(({ name, value }) => [name, value] as const);
}

/** What a step may use once an attempt of its own has ended. */
export function withOwnOutputs(
  upstream: Upstream,
  {
    step,
    files,
    outcome,
  }: { readonly step: Step; readonly files: DagRunStep; readonly outcome: StepOutcome | undefined },
): Upstream {
  if (outcome === undefined) return upstream;
  const variable = outcome.outputs?.variable;
  const own = toStepValues(step, toEnded(outcome.exitCode, outcome.outputs), files);
  return {
    env: variable === undefined ? upstream.env : { ...upstream.env, [variable.name]: variable.value },
    steps: step.id === undefined ? upstream.steps : new Map([...upstream.steps, [step.id, own]]),
  };
}
