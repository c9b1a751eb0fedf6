import Ajv, { type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { dagKind } from '../../keys/dag-keys/dag-kind';
import { parseDag } from '../document/parse-dag';
import { stepKind } from '../../keys/step-keys/step-kind';
import { dagSchema } from './dag-schema';
import { buildSteps, dagForms, type Forms, stepForms, steps } from '../../testing/language-forms';

const validate: ValidateFunction = new Ajv({ strict: false }).compile(dagSchema());

function check(dag: unknown): { readonly errors: readonly string[]; readonly refusals: readonly string[] } {
  const errors = parseDag(stringify(dag)).findings.filter(({ severity }) => severity === 'error');
  validate(JSON.parse(JSON.stringify(dag)));
  const refusals = (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
  return { errors: errors.map(({ code, message }) => `${code}: ${message}`), refusals };
}

/** Of steps that the reader refuses in every form. */
const unsupportedKeys = new Set(['llm', 'messages']);
const isRead = { errors: [], refusals: [] };
const each = (forms: Forms): [string, string, unknown][] =>
  Object.entries(forms).flatMap(([key, values]) =>
    values.map((value): [string, string, unknown] => [key, JSON.stringify(value), value]),
  );

describe('reader and schema accept every form of the language', () => {
  it.each(each(dagForms))('%s of a DAG: %s', (key, _, value) => {
    expect(check({ [key]: value, steps: ['echo'] })).toEqual(isRead);
  });

  it.each(each(stepForms))('%s of a step: %s', (key, _, value) => {
    expect(check({ steps: [{ id: 'x', run: 'echo', [key]: value }] })).toEqual(isRead);
  });

  it.each(steps.map((step) => [JSON.stringify(step), step] as const))('the step %s', (_, step) => {
    expect(check({ steps: [step, { id: 'target', run: 'echo' }] })).toEqual(isRead);
  });

  it('the tasks of an agent', () => {
    const tasks = [{ name: 'tidy up', description: 'All is tidy.' }];
    expect(check({ type: 'agent', llm: { model: 'm' }, tasks, steps: ['echo'] })).toEqual(isRead);
  });

  it('the steps of a build', () => {
    expect(check({ type: 'build', steps: buildSteps })).toEqual(isRead);
  });

  it('a map of steps, a chain with groups, and arguments of a shell', () => {
    expect(check({ steps: { first: 'echo', second: { run: 'echo', depends: 'first' } } })).toEqual(isRead);
    expect(check({ shell: 'bash', shell_args: ['-e'], steps: ['a'] })).toEqual(isRead);
    expect(check({ type: 'chain', steps: ['a', ['b', { run: 'c' }], 'd'] })).toEqual(isRead);
  });

  it.each([
    ['DAG', Object.keys(dagKind.keys).filter((key) => !['steps', 'shell_args', 'tasks'].includes(key)), dagForms],
    [
      'step',
      Object.keys(stepKind.keys).filter((key) => !unsupportedKeys.has(key)),
      { ...stepForms, ...Object.fromEntries(listKeys([...steps, ...buildSteps])) },
    ],
  ])('every key of a %s has an example here', (_, keys, forms) => {
    expect(keys.filter((key) => !Object.hasOwn(forms, key))).toEqual([]);
  });
});

/** Picks a few keys, each in one form and under any of its spellings. */
function someKeys(forms: Forms, spellings: ReadonlyMap<string, string>): fc.Arbitrary<Record<string, unknown>> {
  const names = [...spellings].filter(([, name]) => Object.hasOwn(forms, name));
  return fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: 6, selector: ([, name]) => name })
    .chain((chosen) =>
      fc
        .tuple(...chosen.map(([, name]) => fc.constantFrom(...(forms[name] ?? []))))
        .map((values) => Object.fromEntries(chosen.map(([spelling], index) => [spelling, values[index]]))),
    );
}

describe('forms together, in any spelling', () => {
  it('are accepted by the schema when the reader accepts them', () => {
    let accepted = 0;
    const step = fc.oneof(
      fc.constantFrom(...steps),
      someKeys(stepForms, stepKind.spellings).map((keys) => ({ run: 'echo', ...keys })),
    );
    const dag = fc.record({
      root: someKeys(dagForms, dagKind.spellings),
      steps: fc.array(step, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(dag, (parts) => {
        const whole = { ...parts.root, steps: parts.steps };
        const { errors, refusals } = check(whole);
        if (errors.length > 0) return;
        accepted += 1;
        expect(refusals).toEqual([]);
      }),
      { numRuns: 500 },
    );
    // Otherwise the property would prove nothing.
    expect(accepted).toBeGreaterThan(50);
  });
});

function listKeys(maps: readonly unknown[]): readonly (readonly [string, readonly unknown[]])[] {
  return maps
    .flatMap((map) => (typeof map === 'object' && map !== null ? Object.keys(map) : []))
    .map((key) => [key, []]);
}
