/** @jest-environment node */
import { startFakeCloud } from '@weir/fake-cloud';
import { federated, runInProcess } from '../scenarios/testing/run-in-process';

jest.mock('../report/failure.js', () => {
  throw new Error("Cannot find module 'failure.js'");
});

describe('run without the bundle of explanations', () => {
  it('still reports the failure itself', async () => {
    const fake = await startFakeCloud();
    try {
      const { error, summary } = await runInProcess(fake, { inputs: federated(fake, { timeout: '13h' }) });

      expect(error).toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(
          /^Input timeout .*\nA file of the action could not be loaded: Cannot find module 'failure\.js'\.$/s,
        ) as string,
      });
      expect(summary).toBe('');
    } finally {
      await fake.stop();
    }
  });
});
