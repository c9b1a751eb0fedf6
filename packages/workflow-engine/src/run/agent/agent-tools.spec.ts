import { AppError } from '@weir/foundation';
import { authoredSteps, parseDag } from '@weir/workflow-spec';
import { offerSteps } from './agent-tools';

const properties = { CITY: { type: 'string' }, UNIT: { type: 'string' } };
const dags = {
  describe: (name: string) =>
    name === 'child'
      ? Promise.resolve({
          description: 'Prints a city',
          parameters: { type: 'object', properties, required: ['CITY'] },
        })
      : Promise.reject(new AppError('not_found', 'There is no such DAG.')),
  run: () => Promise.reject(new Error('Nothing runs here.')),
};

const offered = (steps: string) => {
  const spec = `type: agent\nllm: {model: m}\ntasks: [{name: a, description: b}]\nsteps:\n${steps}`;
  return offerSteps(authoredSteps(parseDag(spec).dag), dags);
};
const call = (more: string): string => `  - {name: call, action: dag.run, with: {${more}}}\n`;
const none = { type: 'object', properties: {}, additionalProperties: false };

it('names each tool by the ID or the name of its step, once', async () => {
  const steps = '  - {id: a, name: First, run: x}\n  - {name: b c, run: x}\n  - {name: b.c, run: x}\n';
  const reserved = `  - {name: ask user, run: x}\n  - {name: ${'n'.repeat(80)}, run: x}\n`;
  const names = (await offered(`${steps}${reserved}`)).map(({ name }) => name);

  expect(names).toEqual(['a', 'b_c', 'b_c_2', 'ask_user_2', 'n'.repeat(64)]);
});

it('describes a tool by its step, else by the DAG that it runs', async () => {
  const steps = `  - {name: a, description: Own, run: x}\n  - {name: b, run: x}\n${call('dag: child')}`;
  const descriptions = (await offered(steps)).map(({ description }) => description);

  expect(descriptions).toEqual(['Own', 'Runs the step b.', 'Prints a city']);
});

it.each([
  ['no parameters', 'dag: child', { type: 'object', properties, required: ['CITY'] }],
  ['one of them', 'dag: child, params: {CITY: Bern}', { type: 'object', properties: { UNIT: { type: 'string' } } }],
  ['a text', 'dag: child, params: "CITY=Bern"', none],
  ['a list', 'dag: child, params: [CITY=Bern]', none],
  ['a DAG that is not known before', 'dag: "${params.which}"', none],
  ['a DAG that does not exist', 'dag: other', none],
])('asks the model for the parameters that are open in a step with %s', async (_, settings, parameters) => {
  expect((await offered(call(settings)))[0]?.parameters).toEqual(parameters);
});
