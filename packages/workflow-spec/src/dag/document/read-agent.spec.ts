import { formatFinding } from '../../source/findings/format-finding';
import { printDag } from '../print/print-dag';
import { calledDags } from './called-dags';
import { listSteps } from './list-steps';
import { parseDag } from './parse-dag';

const llm = 'llm: {model: m}\n';
const tasks = 'tasks: [{name: report, description: The report is there.}]\n';
const agent = (steps: string, head = `${llm}${tasks}`): string => `type: agent\n${head}steps:\n${steps}`;
const found = (text: string): readonly string[] =>
  parseDag(text)
    .findings.filter(({ severity }) => severity !== 'info')
    .map(formatFinding);
const errors = (text: string): readonly string[] => parseDag(text).findings.map(({ code, line }) => `${code} ${line}`);

describe('a DAG of type agent', () => {
  it('is one step, which has the steps of the file in it', () => {
    const { dag, findings } = parseDag(agent('  - {id: a, run: echo a}\n  - {name: b, run: echo b}\n'));

    expect(findings).toEqual([]);
    expect(dag).toMatchObject({
      type: 'agent',
      steps: [
        {
          name: '__agent__',
          depends: [],
          run: {
            kind: 'agent',
            tasks: [{ name: 'report', description: 'The report is there.' }],
            steps: [
              { id: 'a', name: 'a', depends: [] },
              { name: 'b', depends: [] },
            ],
          },
        },
      ],
    });
  });

  it('is printed as it was written', () => {
    const { dag } = parseDag(agent('  - {id: a, run: echo a}\n  - {name: b, action: dag.run, with: {dag: other}}\n'));

    expect(parseDag(printDag(dag)).dag).toEqual(dag);
    expect(printDag(dag)).not.toContain('__agent__');
  });

  it('has the steps of the file among its steps, and calls the DAGs that they call', () => {
    const { dag } = parseDag(agent('  - {name: a, run: echo a}\n  - {name: b, action: dag.run, with: {dag: other}}\n'));

    expect(listSteps(dag).map(({ name }) => name)).toEqual(['__agent__', 'a', 'b']);
    expect(calledDags(dag, [])).toEqual([{ step: 'b', dag: 'other' }]);
  });

  it('lets every step read the outputs of the others', () => {
    const steps = `  - {id: a, run: "echo \${steps.b.outputs.x}", outputs: [{name: x}]}
  - {id: b, run: "echo \${steps.a.outputs.x}", outputs: [{name: x}]}\n`;

    expect(parseDag(agent(steps)).findings).toEqual([]);
  });

  it('is called controller in older files', () => {
    const { dag, findings } = parseDag(agent('  - echo\n').replace('agent', 'controller'));

    expect(dag.type).toBe('agent');
    expect(findings).toMatchObject([{ code: 'deprecated_value', severity: 'warning', fix: { text: 'agent' } }]);
  });

  it.each([
    ['no tasks', agent('  - echo\n', llm), ['missing_key 1']],
    ['no task', agent('  - echo\n', `${llm}tasks: []\n`), ['invalid_value 3']],
    ['a task without a description', agent('  - echo\n', `${llm}tasks: [{name: a}]\n`), ['missing_key 3']],
    [
      'two tasks of one name',
      agent('  - echo\n', `${llm}tasks: [{name: a, description: b}, {name: a, description: c}]\n`),
      ['duplicate_name 3'],
    ],
    ['no llm', agent('  - echo\n', tasks), ['missing_key 1']],
    ['an llm without a model', agent('  - echo\n', `llm: {provider: local}\n${tasks}`), ['missing_key 2']],
    [
      'settings about one answer',
      agent('  - echo\n', `llm: {model: m, response_format: json, tools: [a]}\n${tasks}`),
      ['unsupported_value 2', 'unsupported_value 2'],
    ],
    [
      'what the provider cannot do',
      agent('  - echo\n', `llm: {model: [{name: m, provider: local}, n], web_search: {}}\n${tasks}`),
      ['unsupported_value 2'],
    ],
    ['dependencies', agent('  - {name: a, run: echo}\n  - {run: echo, depends: a}\n'), ['depends_not_allowed 6']],
    ['an empty list of dependencies', agent('  - {run: echo, depends: []}\n'), ['depends_not_allowed 5']],
    [
      'a router',
      agent('  - {name: b, run: echo}\n  - {action: router.route, with: {value: a, routes: {a: [b]}}}\n'),
      ['invalid_route 6'],
    ],
    ['an approval', agent('  - {run: echo, approval: {}}\n'), ['approval_not_here 5']],
    ['a human task', agent('  - {id: a, action: human.task, with: {prompt: Yes?}}\n'), ['human_task_not_allowed 5']],
    ['a reserved name', agent('  - {name: __agent__, run: echo}\n'), ['invalid_step_name 5']],
    ['a reserved ID', agent('  - {id: ask_user, run: echo}\n'), ['invalid_step_name 5']],
    ['a reserved key of a map', agent('  set_task_status: {run: echo}\n'), ['invalid_step_name 5']],
    ['a group of parallel steps', agent('  - [echo, echo]\n'), ['parallel_group 5']],
    ['tasks in another type', `${tasks}steps: [echo]\n`, ['conflicting_keys 1']],
  ])('is refused with %s', (_, text, expected) => {
    expect(errors(text)).toEqual(expected);
  });

  it('takes 100 steps, as many as models take tools', () => {
    const steps = (count: number) => Array.from({ length: count }, (_, index) => `  - {name: s${index}, run: echo}\n`);

    expect(found(agent(steps(100).join('')))).toEqual([]);
    expect(errors(agent(steps(101).join('')))).toEqual(['too_many_steps 1']);
  });
});
