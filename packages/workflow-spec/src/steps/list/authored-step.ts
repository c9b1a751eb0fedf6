import { checkBuildStep } from '../build/check-build-step';
import { compact, gather } from '../../model/compact';
import type { Step } from '../../model/step';
import { readObject, type Field, type Fields } from '../../shapes/read-object';
import { expandCall } from '../calls/expand-call';
import { readApproval } from './read-approval';
import { joinLists, readPolicies, type policyKeys } from '../../keys/policies/policy-keys';
import { readOutputSettings } from '../../keys/step-keys/output-keys';
import { readExecutionSettings } from '../../keys/step-keys/execution-keys';
import { stepKind } from '../../keys/step-keys/step-kind';
import { getKind, report, type YamlValue } from '../../source/yaml/yaml-value';
import { readRun } from '../../keys/step-keys/read-run';
import { forHumanTask, isHumanTask } from '../work/human-task';
import { expandGate } from '../deprecated/expand-gate';
import type { DeferredParts } from '../scope/deferred-parts';
import { readWork } from './read-work';
import type { StepFields } from '../form/step-form';
import type { StepOptions } from '../scope/step-options';

type StepParts = Pick<Step, 'run'> & Partial<Step>;

/** A step as written: its name may be missing, and references to other steps are not resolved. */
export interface AuthoredStep {
  /** The value that was read: the call of a custom action, for example, is replaced by its step. */
  readonly source: YamlValue;
  /** The step in the file. */
  readonly authored: YamlValue;
  readonly name?: Field<string> | undefined;
  readonly id?: Field<string> | undefined;
  readonly depends?: Field<readonly YamlValue[]> | undefined;
  /** The values with which a router names the steps it chooses among; those steps depend on it. */
  readonly routes?: readonly YamlValue[];
  /** Everything that can be read without the other steps. */
  readonly parts: StepParts;
  /** Parts that name other steps, resolved once every step has its name. */
  readonly deferred: readonly DeferredParts[];
}

type OtherParts = Omit<Step, 'run'>;

export function readAuthoredStep(authored: YamlValue, options: StepOptions): AuthoredStep | undefined {
  const source = expandGate(expandCall(authored, options));
  if (getKind(source) !== 'map') {
    const run = readRun(source);
    return run && { source, authored, parts: { run, ...readPolicyParts({}, undefined, options) }, deferred: [] };
  }
  const read = readObject(source, stepKind);
  if (!read) return undefined;
  const { fields } = read;
  const { run, deferred, routes, ...work } = readWork(read, source, options);
  const execution = readExecutionSettings(fields);
  checkContainer(run, fields, source, options);
  checkAnswerSchema(run, fields, source);
  const policies = readPolicyParts(fields, execution.env, isHumanTask(run) ? forHumanTask(options) : options);
  const description = { description: fields.description?.value };
  const parts = {
    run,
    ...gather<OtherParts>(description, work, readOutputSettings(fields, source), execution, policies),
  };
  checkBuildStep(fields, parts, options);
  return {
    source,
    authored,
    name: fields.name,
    id: fields.id,
    depends: fields.depends,
    ...compact({ routes }),
    parts,
    deferred: [...deferred, ...readApproval(fields.approval, execution.workerSelector, options)],
  };
}

/** Only commands execute in a container, and files that they write there are not visible here. */
function checkContainer(run: Step['run'], fields: StepFields, source: YamlValue, options: StepOptions): void {
  const { container, outputs } = fields;
  const isCommand = run.kind === 'commands' || run.kind === 'script';
  if (container && !isCommand) {
    const message = 'container is for steps with run: this version does not execute other work in a container';
    source.context.report.add('unsupported_value', container.keyLocation, message);
  }
  if (run.kind === 'action' && run.action === 'harness.run' && options.isInContainer === true) {
    const message =
      'harness.run starts its program on the host, outside of the container of the DAG: give that container to the steps with run';
    report(source, 'unsupported_value', message);
  }
  if (outputs && isCommand && (container !== undefined || options.isInContainer === true)) {
    const message = 'outputs are not supported in a container by this version: use output or stdout';
    source.context.report.add('unsupported_value', outputs.keyLocation, message);
  }
}

function checkAnswerSchema(run: Step['run'], { output_schema: schema }: StepFields, source: YamlValue): void {
  if (run.kind !== 'action' || run.action !== 'chat.completion') return;
  if (run.with.response_format !== 'schema' || schema !== undefined) return;
  report(source, 'missing_key', 'output_schema is required: response_format is schema');
}

function readPolicyParts(
  fields: Fields<typeof policyKeys>,
  env: Step['env'] | undefined,
  { defaults }: StepOptions,
): Partial<OtherParts> {
  return gather<OtherParts>(readPolicies(fields, defaults), { env: joinLists(defaults?.env, env) });
}
