import { quote } from '../quote';
import { contextFields, isNamespace } from '../values/scope';
import { checkStepOutput, checkStepProperty, isStepProperty } from './check-step-reference';
import { findStep, type ReferencePlace } from './reference-place';
import { atRunTime, unavailable, unknownName, type ReferenceProblem, type ReferenceUse } from './reference-problem';

/** Nothing for a reference that is right, that is not ours, or that has a word for the case that it has no value. */
export function checkReference(use: ReferenceUse): ReferenceProblem | undefined {
  const { head, path, operator } = use.reference;
  if (operator) return undefined;
  if (isNamespace(head) && path.length > 0) return namespaceProblems[head](use);
  if ((head === 'inputs' || head === 'outputs') && path.length > 0 && !use.place.variables.has(head)) {
    return unavailable(`\${${head}.…} is available only in a DAG of type build`);
  }
  return checkOlder(use);
}

type Check = (use: ReferenceUse) => ReferenceProblem | undefined;

const namespaceProblems: Readonly<Record<'consts' | 'params' | 'env' | 'steps' | 'foreach' | 'context', Check>> = {
  consts: ({ reference: { path }, place: { consts } }) =>
    consts.has(path[0] ?? '') ? undefined : unknownName('constant', path[0], consts),
  params: ({ reference: { path }, place: { params, dag } }) => {
    const [name = ''] = path;
    if (params.has(name)) return undefined;
    const isElsewhere = dag.paramSchema !== undefined && dag.paramSchema.kind !== 'inline';
    return isElsewhere ? atRunTime(`the parameter ${quote(name)}`) : unknownName('parameter', name, params);
  },
  env: ({ reference: { path }, place }) =>
    place.variables.has(path[0] ?? '') ? undefined : atRunTime(`the variable ${quote(path[0] ?? '')}`),
  steps: checkStepOutput,
  foreach: ({ reference: { path }, place }) => {
    if (place.items.size === 0) return unavailable('${foreach.…} is available only in the body of a foreach');
    return place.items.has(path[0] ?? '') ? undefined : unknownName('loop item', path[0], place.items);
  },
  context: ({ reference: { path }, place }) => checkContext(path.join('.'), place),
};

function checkContext(field: string, place: ReferencePlace): ReferenceProblem | undefined {
  const known: readonly string[] = contextFields;
  if (!known.includes(field)) {
    const message = `\${context.…} has no field ${quote(field)}`;
    return { code: 'reference_unknown_context_field', message, names: known };
  }
  if (field === 'run.status' && place.kind !== 'handler') {
    return place.kind === 'later' ? undefined : unavailable('${context.run.status} is available only in handlers');
  }
  if (field.includes('step') && place.kind === 'settings') {
    return unavailable(`\${context.${field}} is available only in steps and handlers`);
  }
  return conditional.some((prefix) => field.startsWith(prefix)) ? atRunTime(`\${context.${field}}`) : undefined;
}

/** Fields that some runs have and others have not. */
const conditional = ['profile.', 'pushback.', 'run.scheduled_at', 'attempt.id', 'trigger.actor', 'paths.artifacts_dir'];

/** `${NAME}`, `${NAME.path}` and `${ID.stdout}`. */
function checkOlder(use: ReferenceUse): ReferenceProblem | undefined {
  const { reference, place, isCommand } = use;
  const { head, path } = reference;
  if (head === 'params' && path.length === 0) return undefined;
  if (path.length === 0) {
    if (isCommand || place.variables.has(head)) return undefined;
    return atRunTime(`the variable ${quote(head)}`);
  }
  if (findStep(place, head)) return checkStepProperty(use);
  const isKnown = place.variables.has(head) || (head === 'ITEM' && place.step?.parallel !== undefined);
  if (isKnown) return undefined;
  return isStepProperty(path) ? checkStepProperty(use) : atRunTime(`the variable ${quote(head)}`);
}
