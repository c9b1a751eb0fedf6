import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { limitEntries } from '../../shapes/limit-entries';
import { keySpec } from '../../shapes/object-kind';
import { readNonEmptyText, readText, type Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { text } from '../../shapes/shapes';
import { getItems, getKind, report, type YamlValue } from '../../source/yaml/yaml-value';

export const stepIdPattern = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
const reservedIds = new Set(['env', 'params', 'args', 'stdout', 'stderr', 'output', 'outputs']);
/** `${foreach.x}` is never the step of that name. Those of older files still execute, so it is no error. */
const ambiguousIds = new Set(['consts', 'steps', 'foreach', 'context', 'raw', 'inputs', 'ITEM']);

const readStepId: Reader<string> = (value) => {
  const id = readText(value)?.trim();
  if (id === undefined) return undefined;
  if (!stepIdPattern.test(id)) {
    const form = `a letter, then letters, digits and underscores, ${limits.stepIdLength} at most`;
    report(value, 'invalid_step_id', `invalid step ID format ${quote(id)}: ${form}`);
    return undefined;
  }
  const isReserved = ambiguousIds.has(id) || reservedIds.has(id.toLowerCase());
  if (!reservedIds.has(id)) {
    const message = `the step ID ${quote(id)} is a word of the language and may be taken for it in references; choose another one`;
    if (isReserved) report(value, 'reserved_step_id', message);
    return id;
  }
  report(value, 'invalid_step_id', `the step ID ${quote(id)} is a reserved word`);
  return undefined;
};

const readStepName: Reader<string> = (value) => {
  const name = readNonEmptyText(value)?.trim();
  const problem = name === undefined ? undefined : stepNameProblem(name);
  if (problem === undefined) return name;
  report(value, 'invalid_step_name', problem);
  return undefined;
};

export function stepNameProblem(name: string): string | undefined {
  if (new TextEncoder().encode(name).length > limits.stepNameBytes) {
    return `step name must be ${limits.stepNameBytes} bytes or less`;
  }
  return /\p{Cc}/u.test(name) ? 'step name must not contain line breaks or control characters' : undefined;
}

const dependsBound = { limit: limits.stepDependencies, code: 'too_many_dependencies', what: 'depends' } as const;
const scalar = ['string', 'number', 'boolean'];

/** Returns the entries with their locations, because most checks need the other steps. */
const readDepends: Reader<readonly YamlValue[]> = (value) => {
  return getKind(value) === 'list' ? limitEntries(getItems(value), value, dependsBound) : [value];
};

export const identityKeys = {
  id: keySpec(
    'Short name used in references',
    shape(readStepId, { type: ['string', 'boolean'], pattern: `^\\s*${stepIdPattern.source.slice(1, -1)}\\s*$` }),
  ),
  name: keySpec(
    'Name that is displayed and that depends refers to',
    shape(readStepName, { type: scalar, minLength: 1 }),
  ),
  description: keySpec('What the step does', text),
  depends: keySpec(
    'Names or IDs of the upstream steps',
    shape(readDepends, { anyOf: [{ type: scalar }, { type: 'array', items: { type: scalar } }] }),
  ),
} as const;
