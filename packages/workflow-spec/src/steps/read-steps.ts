import type { DagType } from '../dag';
import { limits } from '../limits';
import { quote } from '../quote';
import { wrongKind } from '../read/readers';
import { entriesOf, itemsOf, kindOf, report, type YamlEntry, type YamlValue } from '../yaml/yaml-value';
import { readAuthoredStep, type AuthoredStep } from './authored-step';
import { stepNameProblem } from './step-kind';

/** Steps that may run at the same time: one, or those of a nested list in a chain. */
export type StepGroup = readonly AuthoredStep[];

/** Reads the steps in all their forms, in the order of the file. */
export function readSteps(value: YamlValue, type: DagType): readonly StepGroup[] {
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
    kind === 'map' ? entriesOf(value).flatMap(readNamed) : itemsOf(value).flatMap((item) => readItem(item, type));
  if (itemsOf(value).length + entriesOf(value).length === 0) {
    report(value, 'invalid_value', 'steps must be a list or a map with at least one step');
  }
  return groups;
}

function readItem(item: YamlValue, type: DagType): readonly StepGroup[] {
  if (kindOf(item) !== 'list') return toGroup(readAuthoredStep(item));
  if (type === 'graph') {
    report(item, 'parallel_group', "a nested list of steps is a parallel group, which needs type 'chain'");
    return [];
  }
  const group = itemsOf(item).flatMap((member) => readMember(member) ?? []);
  return group.length === 0 ? [] : [group];
}

function readMember(member: YamlValue): AuthoredStep | undefined {
  if (kindOf(member) !== 'list') return readAuthoredStep(member);
  report(member, 'parallel_group', 'a parallel group cannot hold another one');
  return undefined;
}

function readNamed({ key, spot, value }: YamlEntry): readonly StepGroup[] {
  const step = readAuthoredStep(value);
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
  return itemsOf(value).reduce((sum, item) => sum + Math.max(itemsOf(item).length, 1), entriesOf(value).length);
}
