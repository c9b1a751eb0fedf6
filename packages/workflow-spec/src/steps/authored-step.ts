import { compact, gather, type Part } from '../compact';
import type { Step } from '../canonical/step';
import { readObject, type Field, type Fields } from '../read/read-object';
import { expandCall } from '../custom-actions/expand-call';
import { approvalOf } from '../policies/approval';
import { joined, policiesOf, type policyKeys } from '../policies/policy-keys';
import { outputOf } from '../step-keys/output-keys';
import { placementOf } from '../step-keys/placement-keys';
import { stepKind } from '../step-keys/step-kind';
import { kindOf, type YamlValue } from '../yaml/yaml-value';
import { readRun } from './read-run';
import { forHumanTask, isHumanTask } from '../work/human-task';
import { expandGate } from '../work/old-gate';
import { workOf } from './read-work';
import type { StepLookup } from './step-lookup';
import type { StepOptions } from './step-options';

type StepParts = Pick<Step, 'run'> & Partial<Step>;

/** A step as it stands in the file: its name may be missing, and what it refers to is not looked up. */
export interface AuthoredStep {
  readonly source: YamlValue;
  readonly name?: Field<string> | undefined;
  readonly id?: Field<string> | undefined;
  readonly depends?: Field<readonly YamlValue[]> | undefined;
  /** The values by which a router names the steps it chooses among; they wait for it. */
  readonly routes?: readonly YamlValue[];
  /** Everything that needs no other step to be known. */
  readonly parts: StepParts;
  /** What names other steps, worked out when all of them have their names. */
  readonly late: readonly LateParts[];
}

export type LateParts = (lookup: StepLookup) => Part<Step>;

type OtherParts = Omit<Step, 'run'>;

/** A step written as a map, or as its command alone. */
export function readAuthoredStep(authored: YamlValue, options: StepOptions): AuthoredStep | undefined {
  const source = expandGate(expandCall(authored, options));
  if (kindOf(source) !== 'map') {
    const run = readRun(source);
    return run && { source, parts: { run, ...policyParts({}, undefined, options) }, late: [] };
  }
  const read = readObject(source, stepKind);
  if (!read) return undefined;
  const { fields } = read;
  const { run, late, routes, ...work } = workOf(read, source, options);
  const placement = placementOf(fields);
  const policies = policyParts(fields, placement.env, isHumanTask(run) ? forHumanTask(options) : options);
  const description = { description: fields.description?.value };
  return {
    source,
    name: fields.name,
    id: fields.id,
    depends: fields.depends,
    ...compact({ routes }),
    parts: { run, ...gather<OtherParts>(description, work, outputOf(fields, source), placement, policies) },
    late: [...late, ...approvalOf(fields.approval, placement.workerSelector, options)],
  };
}

/** The policies of the step and its environment, with what the DAG gives to all steps. */
function policyParts(
  fields: Fields<typeof policyKeys>,
  env: Step['env'] | undefined,
  { defaults }: StepOptions,
): Partial<OtherParts> {
  return gather<OtherParts>(policiesOf(fields, defaults), { env: joined(defaults?.env, env) });
}
