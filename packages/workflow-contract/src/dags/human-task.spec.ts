import { readHumanTask } from './human-task';

const form = { properties: { ratio: { type: 'number' } } };

describe('readHumanTask', () => {
  it('reads prompt and form of a human task', () => {
    const config = { prompt: 'Well?', form };
    expect(readHumanTask({ type: 'human.task', config })).toEqual(config);
  });

  it('returns neither for a task without them', () => {
    expect(readHumanTask({ type: 'human.task' })).toEqual({ prompt: '', form: {} });
  });

  it.each([
    ['another action', { type: 'http.request', config: { prompt: 'Well?' } }],
    ['a step without an action', undefined],
  ])('is undefined for %s', (_case, action) => {
    expect(readHumanTask(action)).toBeUndefined();
  });
});
