import { Secret } from '@weir/service-kit';
import { firstSteps } from './first-steps';

const url = 'http://127.0.0.1:8090';
const key = { value: new Secret('the-key-itself'), isNew: false, file: undefined };

describe('the first steps', () => {
  it('are one curl line for each step of an episode', () => {
    const lines = firstSteps({ url, hasUserInterface: true, modelName: 'm', adminKey: key }).split('\n');
    const curls = lines.filter((line) => line.includes('curl')).map((line) => /8090(\/\S+)/.exec(line)?.[1]);
    expect(curls).toEqual([
      '/grant_capacity',
      '/rl/start_session',
      '/v1/chat/completions',
      '/rl/set_reward',
      '/rl/end_session',
      '/export_trajectories',
    ]);
  });

  it('show the admin key only when it was just generated', () => {
    const show = (adminKey: typeof key | (Omit<typeof key, 'file'> & { file: string })) =>
      firstSteps({ url, hasUserInterface: false, modelName: 'm', adminKey });
    expect(show({ ...key, isNew: true, file: '/data/admin_key' })).toContain('the-key-itself');
    expect(show({ ...key, file: '/data/admin_key' })).not.toContain('the-key-itself');
    expect(show(key)).not.toContain('the-key-itself');
  });
});
