import { Secret } from '@weir/service-kit';
import { firstSteps } from './first-steps';

const url = 'http://127.0.0.1:8090';
const key = { value: new Secret('the-key-itself'), file: undefined };

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

  it('read a stored key from its file, whatever the file is called', () => {
    const adminKey = { ...key, file: "/data of 'me'/admin_key" };
    const text = firstSteps({ url, hasUserInterface: true, modelName: 'm', adminKey });
    expect(text).toContain("Admin key: in /data of 'me'/admin_key\n");
    expect(text).toContain(String.raw`ADMIN=$(cat '/data of '\''me'\''/admin_key')`);
  });
});
