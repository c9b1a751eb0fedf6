import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { startRolloutProxy } from './support/rollout-proxy';

describe('an admin key that the proxy generates', () => {
  it('is read from its file by the printed commands, and appears in no output', async () => {
    const first = await startRolloutProxy({ env: { ROLLOUT_ADMIN_KEY: '', ROLLOUT_LOG_LEVEL: 'debug' } });
    const key = readFileSync(first.home.file('data/admin_key'), 'utf8');
    const [line = ''] = /ADMIN=.*/.exec(first.process.stdout()) ?? [];
    const given = execFileSync('sh', ['-c', `${line}; printf %s "$ADMIN"`], { encoding: 'utf8' });
    const outputs = [first.process.stdout(), first.process.stderr()];
    const second = await first.restart();
    await expect(second.request('/grant_capacity', { key: given })).resolves.toMatchObject({ status: 200 });
    outputs.push(second.process.stdout(), second.process.stderr());
    await second.dispose();

    expect(outputs.filter((text) => text.includes(key))).toEqual([]);
    expect(outputs.filter((text) => text.includes(`Admin key: in ${first.home.file('data/admin_key')}`))).toHaveLength(
      2,
    );
  });
});
