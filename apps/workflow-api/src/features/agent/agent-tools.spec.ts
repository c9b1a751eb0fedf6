import { agentTools, findTool, isToolEnabled, offeredTools } from './agent-tools';

it('offers the tools for models and a question to the person, and no shell', () => {
  expect(agentTools.map(({ name }) => name)).toEqual([
    ...['list_dags', 'read_dag', 'validate_dag', 'propose_edit', 'start_dag', 'list_runs', 'read_run', 'explain_run'],
    ...['read_log', 'search_docs', 'ask_user'],
  ]);
});

it('has a single tool that changes something', () => {
  expect(agentTools.filter(({ name }) => findTool(name)?.isReadOnly === false).map(({ name }) => name)).toEqual([
    'start_dag',
  ]);
});

it('offers the tools that the policy enables, with the schema of their input', () => {
  const offered = offeredTools({ start_dag: false });
  expect(offered.map(({ name }) => name)).not.toContain('start_dag');
  expect(offered.find(({ name }) => name === 'read_dag')?.parameters).toMatchObject({
    type: 'object',
    required: ['fileName'],
  });
});

it.each([['bash'], ['constructor'], ['']])('knows no tool "%s"', (name) => {
  expect(isToolEnabled(name, {})).toBe(false);
});
