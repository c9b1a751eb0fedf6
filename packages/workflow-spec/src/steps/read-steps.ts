import { limits } from '../limits';
import { quote } from '../quote';
import { wrongKind } from '../read/readers';
import { entriesOf, itemsOf, kindOf, report, sizeOf, type YamlEntry, type YamlValue } from '../yaml/yaml-value';
import { readAuthoredStep, type AuthoredStep } from './authored-step';
import { stepNameProblem } from '../step-keys/identity-keys';
import type { StepOptions } from './step-options';

/** Steps that may run at the same time: one, or those of a nested list in a chain. */
export type StepGroup = readonly AuthoredStep[];

/** Reads the steps in all their forms, in the order of the file. */
export function readSteps(value: YamlValue, options: StepOptions): readonly StepGroup[] {
  const kind = kindOf(value);
  if (kind !== 'list' && kind !== 'map') {
    wrongKind(value, 'a list or a map of steps');
    return [];
  }
  // Counted first: reading a step costs much more than counting it.
  if (countSteps(value) > limits.steps) {
    report(value, 'too_many_steps', `a DAG may have ${limits.steps} steps at most`);
    return [];
  }
  const groups =
    kind === 'map'
      ? entriesOf(value).flatMap((entry) => readNamed(entry, options))
      : itemsOf(value).flatMap((item) => readItem(item, options));
  if (sizeOf(value) === 0) {
    report(value, 'invalid_value', 'steps must be a list or a map with at least one step');
  }
  return groups;
}

function readItem(item: YamlValue, options: StepOptions): readonly StepGroup[] {
  if (kindOf(item) !== 'list') return toGroup(readAuthoredStep(item, options));
  if (options.type === 'graph') {
    report(item, 'parallel_group', "a nested list of steps is a parallel group, which needs type 'chain'");
    return [];
  }
  if (sizeOf(item) === 0) report(item, 'invalid_value', 'a parallel group must hold at least one step');
  const group = itemsOf(item).flatMap((member) => readMember(member, options) ?? []);
  return group.length === 0 ? [] : [group];
}

function readMember(member: YamlValue, options: StepOptions): AuthoredStep | undefined {
  if (kindOf(member) !== 'list') return readAuthoredStep(member, options);
  report(member, 'parallel_group', 'a parallel group cannot hold another one');
  return undefined;
}

function readNamed({ key, spot, value }: YamlEntry, options: StepOptions): readonly StepGroup[] {
  const step = readAuthoredStep(value, options);
  if (!step) return [];
  const { name } = step;
  if (name?.value !== undefined && name.value !== key) {
    report(name.source, 'conflicting_keys', `the step ${quote(key)} cannot have a second name`);
  }
  const problem = key.trim() === '' ? 'step name must not be empty' : stepNameProblem(key);
  if (problem !== undefined) value.context.report.add('invalid_step_name', spot, problem);
  return toGroup({ ...step, name: { value: problem === undefined ? key : undefined, source: value, key: spot } });
}

function toGroup(step: AuthoredStep | undefined): readonly StepGroup[] {
  return step ? [[step]] : [];
}

/** The members of nested lists each count. */
function countSteps(value: YamlValue): number {
  if (kindOf(value) === 'map') return sizeOf(value);
  return itemsOf(value).reduce((sum, item) => sum + (kindOf(item) === 'list' ? Math.max(sizeOf(item), 1) : 1), 0);
}
