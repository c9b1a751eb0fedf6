import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { reportWrongKind } from '../../shapes/readers';
import {
  getEntries,
  getItems,
  getKind,
  report,
  countItems,
  type YamlEntry,
  type YamlValue,
} from '../../source/yaml/yaml-value';
import { readAuthoredStep, type AuthoredStep } from './authored-step';
import { stepNameProblem } from '../../keys/step-keys/identity-keys';
import type { StepOptions } from '../scope/step-options';

/** Steps that may run in parallel: a single step, or a nested list in a chain. */
export type StepGroup = readonly AuthoredStep[];

export function readSteps(value: YamlValue, options: StepOptions): readonly StepGroup[] {
  const kind = getKind(value);
  if (kind !== 'list' && kind !== 'map') {
    reportWrongKind(value, 'a list or a map of steps');
    return [];
  }
  // Steps are counted first, because reading a step costs far more than counting it.
  if (countSteps(value) > limits.steps) {
    report(value, 'too_many_steps', `a DAG may have ${limits.steps} steps at most`);
    return [];
  }
  const groups =
    kind === 'map'
      ? getEntries(value).flatMap((entry) => readNamed(entry, options))
      : getItems(value).flatMap((item) => readItem(item, options));
  if (countItems(value) === 0) {
    report(value, 'invalid_value', 'steps must be a list or a map with at least one step');
  }
  return groups;
}

function readItem(item: YamlValue, options: StepOptions): readonly StepGroup[] {
  if (getKind(item) !== 'list') return toGroup(readAuthoredStep(item, options));
  if (options.type !== 'chain') {
    report(item, 'parallel_group', "a nested list of steps is a parallel group, which needs type 'chain'");
    return [];
  }
  if (countItems(item) === 0) report(item, 'invalid_value', 'a parallel group must contain at least one step');
  const group = getItems(item).flatMap((member) => readMember(member, options) ?? []);
  return group.length === 0 ? [] : [group];
}

function readMember(member: YamlValue, options: StepOptions): AuthoredStep | undefined {
  if (getKind(member) !== 'list') return readAuthoredStep(member, options);
  report(member, 'parallel_group', 'a parallel group cannot contain another one');
  return undefined;
}

function readNamed({ key, location, value }: YamlEntry, options: StepOptions): readonly StepGroup[] {
  const step = readAuthoredStep(value, options);
  if (!step) return [];
  const { name } = step;
  if (name?.value !== undefined && name.value !== key) {
    report(name.source, 'conflicting_keys', `the step ${quote(key)} cannot have a second name`);
  }
  const problem = key.trim() === '' ? 'step name must not be empty' : stepNameProblem(key);
  if (problem !== undefined) value.context.report.add('invalid_step_name', location, problem);
  return toGroup({
    ...step,
    name: { value: problem === undefined ? key : undefined, source: value, keyLocation: location },
  });
}

function toGroup(step: AuthoredStep | undefined): readonly StepGroup[] {
  return step ? [[step]] : [];
}

function countSteps(value: YamlValue): number {
  if (getKind(value) === 'map') return countItems(value);
  return getItems(value).reduce((sum, item) => sum + (getKind(item) === 'list' ? Math.max(countItems(item), 1) : 1), 0);
}
