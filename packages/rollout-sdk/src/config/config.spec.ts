import { readRolloutConfig } from './rollout-config';
import { checkScheduler } from './scheduler';

describe('readRolloutConfig', () => {
  it.each([undefined, {}, { rollout: {} }, { trainer: { lr: 1 }, rollout: { llm: { other: 1 } } }])(
    'uses the defaults for %j',
    (settings) => {
      expect(readRolloutConfig(settings)).toEqual({ mode: 'inline', subprocMaxWorkers: 4 });
    },
  );

  it('reads both keys', () => {
    const settings = { rollout: { llm: { mode: 'subproc', subproc_max_workers: 16 } } };
    expect(readRolloutConfig(settings)).toEqual({ mode: 'subproc', subprocMaxWorkers: 16 });
  });

  it.each([
    { rollout: { llm: { mode: 'online' } } },
    { rollout: { llm: { subproc_max_workers: 0 } } },
    { rollout: { llm: { subproc_max_workers: '4' } } },
    'inline',
  ])('refuses %j', (settings) => {
    expect(() => readRolloutConfig(settings)).toThrow(expect.objectContaining({ reason: 'config_invalid' }) as Error);
  });
});

describe('checkScheduler', () => {
  it.each(['local', 'slurm'] as const)('accepts %s', (name) => {
    expect(checkScheduler(name)).toBe(name);
  });

  it.each([
    ['ray', /"ray" cannot be used: .*fixed address/],
    ['pbs', /"pbs" cannot be used: it is not known/],
  ])('refuses %s and reports why', (name, message) => {
    expect(() => checkScheduler(name)).toThrow(message);
  });
});
