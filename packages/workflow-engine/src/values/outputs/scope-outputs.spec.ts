import { planDag } from '../../model/plan/plan';
import type { StepChange } from '../../model/steps/step-change';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { parseDag } from '@weir/workflow-spec';
import { aRunStep } from '../../testing/run-builders';
import { createScopeOutputs } from './scope-outputs';

const spec = `
type: graph
steps:
  - {id: a, run: x}
  - {id: b, run: x, depends: a}
  - {id: c, run: x, depends: b}
  - {id: other, run: x}
`;
const plan = planDag(parseDag(spec).dag.steps);
const steps = plan.steps.map(({ name }, position) =>
  aRunStep({ position, name, stdoutFile: `/logs/${name}.out`, stderrFile: `/logs/${name}.err` }),
);
const at = new Date(0);
const ended = (index: number, outcome: StepOutcome): StepChange => ({
  kind: 'ended',
  index,
  stepName: '',
  attempt: 1,
  at,
  outcome,
  continues: false,
});
const variable = (name: string, value: string) => ({ variable: { name, value }, fields: [], declared: [] });
const open = (values: Partial<Parameters<typeof createScopeOutputs>[0]> = {}) =>
  createScopeOutputs({ plan, steps, outputs: new Map(), ...values });

describe('outputs known in a run', () => {
  it('gives a step the outputs of the steps before it, once they are stored, and no others', () => {
    const outputs = open();
    expect(outputs.findUpstream(2)).toEqual({ env: {}, steps: new Map() });
    outputs.applyStored([
      ended(0, { status: 'succeeded', exitCode: 0, outputs: variable('NAME', 'first') }),
      ended(1, { status: 'failed', exitCode: 3, outputs: variable('NAME', 'second') }),
      ended(3, { status: 'succeeded', exitCode: 0, outputs: variable('OTHER', 'x') }),
    ]);
    const { env, steps: known } = outputs.findUpstream(2);
    expect(env).toEqual({ NAME: 'first' });
    expect([...known.keys()]).toEqual(['b', 'a']);
    expect(known.get('b')).toEqual({
      stdout: '/logs/b.out',
      stderr: '/logs/b.err',
      exitCode: 3,
      output: 'second',
      outputs: new Map([['NAME', 'second']]),
      collected: { NAME: 'second' },
    });
    expect(outputs.findUpstream(3)).toEqual({ env: {}, steps: new Map() });
  });

  it('provides fields and declared outputs by their names', () => {
    const outputs = open();
    const fields = [{ name: 'f', value: [1] }];
    const declared = [{ name: 'd', value: null }];
    outputs.applyStored([ended(0, { status: 'succeeded', outputs: { fields, declared } })]);
    expect(outputs.findUpstream(1).steps.get('a')).toMatchObject({
      output: { f: [1] },
      outputs: new Map<string, unknown>([
        ['f', [1]],
        ['d', null],
      ]),
    });
  });

  it('includes the outputs of ended steps that were stored before the run was resumed', () => {
    const taken = steps.map((step) =>
      step.position === 0 ? { ...step, status: 'succeeded' as const, startedAt: at, exitCode: 0 } : step,
    );
    const outputs = open({ steps: taken, outputs: new Map([[0, variable('NAME', 'kept')]]) });
    expect(outputs.findUpstream(1)).toMatchObject({ env: { NAME: 'kept' } });
    outputs.applyStored([{ kind: 'starting', index: 0, stepName: '', attempt: 2, retryCount: 0, at }]);
    expect(outputs.findUpstream(1)).toEqual({ env: {}, steps: new Map() });
  });

  it('limits the outputs of all steps together, and counts only the last outputs of a step', () => {
    const outputs = open({ maxBytes: 20 });
    expect(outputs.reserve(0, variable('N', 'x'.repeat(15)))).toBe(true);
    expect(outputs.reserve(1, variable('N', 'x'.repeat(4)))).toBe(false);
    expect(outputs.reserve(0, variable('N', 'x'))).toBe(true);
    expect(outputs.reserve(1, variable('N', 'x'.repeat(17)))).toBe(true);
  });
});
