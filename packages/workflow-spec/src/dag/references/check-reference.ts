import { quote } from '../../source/text/quote';
import { contextFields, formerContextField, isNamespace } from '../../values/references/scope';
import { checkStepOutput, checkStepProperty, isStepProperty } from './check-step-reference';
import { findStep, type ReferenceContext } from './reference-context';
import {
  knownAtRunTime,
  unavailable,
  unknownName,
  type ReferenceProblem,
  type ReferenceUse,
} from './reference-problem';

/** Returns `undefined` for a correct reference, one that belongs to the shell, and one with a fallback value. */
export function checkReference(use: ReferenceUse): ReferenceProblem | undefined {
  const { head, path, operator } = use.reference;
  if (use.context.kind === 'literal') return unavailable('expected is literal: references in it are not replaced');
  if (operator) return undefined;
  if (isNamespace(head) && path.length > 0) return namespaceProblems[head](use);
  if ((head === 'inputs' || head === 'outputs') && path.length > 0 && !use.context.variables.has(head)) {
    return checkFile(head, use);
  }
  return checkShortReference(use);
}

type Check = (use: ReferenceUse) => ReferenceProblem | undefined;

const namespaceProblems: Readonly<Record<'consts' | 'params' | 'env' | 'steps' | 'foreach' | 'context', Check>> = {
  consts: ({ reference: { path }, context: { consts } }) =>
    consts.has(path[0] ?? '') ? undefined : unknownName('constant', path[0], consts),
  params: ({ reference: { path }, context: { params, dag } }) => {
    const [name = ''] = path;
    if (params.has(name)) return undefined;
    const isElsewhere = dag.paramSchema !== undefined && dag.paramSchema.kind !== 'inline';
    return isElsewhere ? knownAtRunTime(`the parameter ${quote(name)}`) : unknownName('parameter', name, params);
  },
  env: ({ reference: { path }, context }) =>
    context.variables.has(path[0] ?? '') ? undefined : knownAtRunTime(`the variable ${quote(path[0] ?? '')}`),
  steps: checkStepOutput,
  foreach: ({ reference: { path }, context }) => {
    if (context.items.size === 0) return unavailable('${foreach.…} is available only in the body of a foreach');
    return context.items.has(path[0] ?? '') ? undefined : unknownName('loop item', path[0], context.items);
  },
  context: ({ reference: { path }, context }) => checkContext(path.join('.'), context),
};

function checkFile(head: 'inputs' | 'outputs', { reference: { path }, context: { dag, step } }: ReferenceUse) {
  const files = head === 'inputs' ? step?.inputs : step?.targets;
  if (dag.type !== 'build' || files === undefined) {
    return unavailable(`\${${head}.…} is available only in a step of a DAG of type build that has such files`);
  }
  const names = new Set(files.map(({ name }) => name));
  return names.has(path[0] ?? '') ? undefined : unknownName(head === 'inputs' ? 'input' : 'output', path[0], names);
}

function checkContext(field: string, context: ReferenceContext): ReferenceProblem | undefined {
  const known: readonly string[] = contextFields;
  if (!known.includes(field)) {
    const message = `\${context.…} has no field ${quote(field)}`;
    return { code: 'reference_unknown_context_field', message, names: known };
  }
  if (field === 'run.status' && context.kind !== 'handler') {
    return context.kind === 'later' ? undefined : unavailable('${context.run.status} is available only in handlers');
  }
  if (field.includes('step') && context.kind === 'settings') {
    return unavailable(`\${context.${field}} is available only in steps and handlers`);
  }
  return conditional.some((prefix) => field.startsWith(prefix)) ? knownAtRunTime(`\${context.${field}}`) : undefined;
}

/** Fields that only some runs have. */
const conditional = ['profile.', 'pushback.', 'run.scheduled_at', 'attempt.id', 'trigger.actor', 'paths.artifacts_dir'];

/** Checks `${NAME}`, `${NAME.path}` and `${ID.stdout}`. */
function checkShortReference(use: ReferenceUse): ReferenceProblem | undefined {
  const { reference, context, isCommand } = use;
  const { head, path } = reference;
  if (head === 'params' && path.length === 0) return undefined;
  if (path.length === 0) {
    if (isCommand || context.variables.has(head)) return undefined;
    return knownAtRunTime(`the variable ${quote(head)}`);
  }
  if (findStep(context, head)) return checkStepProperty(use);
  const isKnown = context.variables.has(head) || (head === 'ITEM' && context.step?.parallel !== undefined);
  if (isKnown) return undefined;
  const field = formerContextField([head, ...path]);
  if (field !== undefined) return checkContext(field, context);
  return isStepProperty(path) ? checkStepProperty(use) : knownAtRunTime(`the variable ${quote(head)}`);
}
