import { writeFileSync } from 'node:fs';
import { evaluate } from './expression';
import { useRunner } from './use-runner';
import { readWorkflow, toSteps, type WorkflowSettings } from './workflow-file';

describe('the jobs of a workflow file', () => {
  const runner = useRunner();

  function readJob(text: string) {
    const file = runner.folder.file('workflow.yml');
    writeFileSync(file, text);
    return readWorkflow(file).job ?? { steps: [] };
  }

  const none: WorkflowSettings['findAction'] = (uses) => {
    throw new Error(`A step that uses ${uses} is not expected.`);
  };

  it('run with the values of their contexts and of earlier steps, without the steps that are left out', async () => {
    const action = runner.anAction({
      main: `add('OUTPUT', 'greeting=' + process.env.INPUT_TEXT + '\\n')`,
      inputs: '{ text: {} }',
    });
    const job = readJob(`
jobs:
  job:
    steps:
      - uses: actions/checkout@v5
      - { name: not here, run: exit 1 }
      - { name: not in this case, if: "matrix.kind == 'other'", run: exit 1 }
      - { id: one, uses: ./action, with: { text: "hello \${{ vars.WHO }}" } }
      - { id: two, uses: ./action, with: { text: "\${{ steps.one.outputs.greeting }}!" } }
      - { env: { SEEN: "\${{ steps.two.outputs.greeting }} \${{ steps.one.outcome }}" }, run: '[ "$SEEN" = "hello world! success" ]' }
`);
    const { outcome, steps } = await runner.run(
      toSteps(job, {
        context: { vars: { WHO: 'world' }, matrix: { kind: 'first' } },
        findAction: (uses) => (uses === './action' ? { action } : undefined),
        without: ['not here'],
      }),
    );

    expect(outcome).toBe('success');
    expect(steps).toHaveLength(3);
  });

  it.each([
    ['an action that is not expected', 'uses: else/where@v1', 'else/where@v1 is not expected'],
    ['neither an action nor a script', 'name: nothing', 'The step nothing neither uses'],
  ])('are refused with %s', (_, step, message) => {
    const job = readJob(`jobs: { job: { steps: [{ ${step} }] } }`);

    expect(() => toSteps(job, { findAction: none })).toThrow(message);
  });

  it('are refused if there are none', () => {
    expect(() => readJob('on: push')).toThrow('has no jobs');
  });
});

describe('expressions', () => {
  it.each(["secrets.KEY == ''", "contains('a', 'b')", "('a'", "'a' 'b'"])(
    'throw if they are not supported: %s',
    (text) => {
      expect(() => evaluate(text, {})).toThrow(/is not supported|is not closed/);
    },
  );
});
