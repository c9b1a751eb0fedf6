import { createManualClock, waitFor } from '@weir/test-kit';
import { startTestProxy } from '../testing/test-proxy';
import { say } from '../testing/use-test-proxy';

describe('the passing of time', () => {
  it('ends idle sessions, removes forgotten ones and expires grants without any traffic', async () => {
    const manual = createManualClock();
    const proxy = await startTestProxy({
      clock: manual,
      env: { ROLLOUT_SESSION_IDLE_SECONDS: '60', ROLLOUT_ENDED_RETENTION_SECONDS: '120', ROLLOUT_GRANT_SECONDS: '30' },
    });
    const { id, key } = await proxy.start();
    await proxy.call('/chat/completions', { key, body: say('x') });
    await proxy.call('/grant_capacity');
    const advance = async (milliseconds: number) => {
      await waitFor(() => manual.sleeperCount() > 0, { what: 'a sleeper' });
      manual.advance(milliseconds);
    };
    const readState = async () => (await proxy.call(`/rl/sessions/${id}`, { method: 'GET' })).body.state;
    await advance(31_000);
    const late = await proxy.call('/rl/start_session', { body: { task_id: 't' } });
    expect(late.body.reason).toBe('capacity_not_granted');
    await advance(60_000);
    await waitFor(async () => (await readState()) === 'ended', { what: 'the end' });
    await advance(121_000);
    await waitFor(async () => (await readState()) === undefined, { what: 'the removal' });
    await proxy.stop();
  });
});
