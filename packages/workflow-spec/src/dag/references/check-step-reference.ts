import type { Step } from '../../model/step';
import { quote } from '../../source/text/quote';
import { findStep, listOutputs, stepIds, type ReferenceContext } from './reference-context';
import { knownAtRunTime, unavailable, type ReferenceProblem, type ReferenceUse } from './reference-problem';

const properties = ['stdout', 'stderr', 'exit_code', 'output', 'outputs'];
const readableProperties = new Set([...properties, 'exitCode']);

export function isStepProperty([first = '']: readonly string[]): boolean {
  return readableProperties.has(first);
}

/** Checks `${steps.ID.outputs.NAME}` and `${steps.ID.stdout}`. */
export function checkStepOutput({ reference, context }: ReferenceUse): ReferenceProblem | undefined {
  const [id = '', field, name] = reference.path;
  if (context.kind === 'handler') return unavailable('${steps.…} is not available in handlers');
  if (context.kind === 'settings') return unavailable('${steps.…} is available only in steps');
  if (context.kind === 'later') return knownAtRunTime(`the step ${quote(id)}`);
  const problem = relationProblem(id, context, 1);
  if (problem) return problem;
  if (field === undefined || !readableProperties.has(field)) return unknownProperty(id, field ?? '', 2);
  if (field !== 'outputs' || name === undefined) return undefined;
  const { step, waiting } = findStep(context, id) ?? {};
  return outputProblem(step, { id, name, part: 3 }) ?? (waiting && orderNotice(waiting, id));
}

function orderNotice({ name }: Step, id: string): ReferenceProblem {
  const message = `${quote(name)} depends on ${quote(id)}, whose output is read`;
  return { code: 'reference_orders_steps', message };
}

/** Checks `${ID.stdout}` and similar references. */
export function checkStepProperty({ reference, context }: ReferenceUse): ReferenceProblem | undefined {
  const [field = '', name] = reference.path;
  const id = reference.head;
  if (context.kind !== 'step' && context.kind !== 'collect') return knownAtRunTime(`the step ${quote(id)}`);
  const problem = relationProblem(id, context, 0);
  if (problem) return problem;
  if (!readableProperties.has(field)) return unknownProperty(id, field, 1);
  return field === 'outputs' && name !== undefined
    ? outputProblem(findStep(context, id)?.step, { id, name, part: 2 })
    : undefined;
}

function unknownProperty(id: string, field: string, part: number): ReferenceProblem {
  const message = `the step ${quote(id)} has no ${quote(field)}`;
  return { code: 'reference_unknown_output', message, part, names: properties };
}

function relationProblem(id: string, context: ReferenceContext, part: number): ReferenceProblem | undefined {
  const found = findStep(context, id);
  if (!found) {
    const isName = context.stepScope.byName.has(id);
    const why = isName ? '; the step of that name has no ID' : '';
    return {
      code: 'reference_unknown_step',
      message: `there is no step with the ID ${quote(id)}${why}`,
      part,
      names: stepIds(context),
    };
  }
  if (found.relation === 'self') {
    return {
      code: 'reference_self',
      message: `the step ${quote(id)} refers to itself, and has no outputs before it ends`,
    };
  }
  if (found.relation === 'upstream') return undefined;
  const message = `the step ${quote(id)} is not upstream: ${quote(context.step?.name ?? '')} must depend on it to read it`;
  return { code: 'reference_not_upstream', message };
}

interface OutputUse {
  readonly id: string;
  readonly name: string;
  readonly part: number;
}

function outputProblem(step: Step | undefined, { id, name, part }: OutputUse): ReferenceProblem | undefined {
  if (!step) return undefined;
  const { names, isOpen } = listOutputs(step);
  if (names.includes(name)) return undefined;
  if (isOpen) return knownAtRunTime(`the output ${quote(name)} of the step ${quote(id)}`);
  return {
    code: 'reference_unknown_output',
    message: `the step ${quote(id)} has no output ${quote(name)}`,
    part,
    names,
  };
}
