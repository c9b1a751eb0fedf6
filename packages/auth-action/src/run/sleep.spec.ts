import { sleep } from './sleep';

describe('sleep', () => {
  it('ends by a timer', async () => {
    const ended: string[] = [];
    const sleeping = sleep(0).then(() => ended.push('sleep'));
    await Promise.resolve();
    expect(ended).toEqual([]);
    await sleeping;
    expect(ended).toEqual(['sleep']);
  });
});
