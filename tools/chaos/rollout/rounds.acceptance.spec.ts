import { playRolloutChaos } from './rounds';

jest.setTimeout(300_000);

it('an engine and a trainer that are killed by turns lose no answered call, train none twice and leak no capacity', async () => {
  const report = await playRolloutChaos({ rounds: 4, seed: 11, idleSeconds: 5 });

  expect(report).toMatchObject({
    kills: { engine: 2, trainer: 2 },
    lost: [],
    trainedTwice: [],
    inexact: [],
    rejectedEpisodes: [],
    missingSessions: [],
    leakedCapacity: 0,
  });
  expect(report.inFlight).toBeGreaterThanOrEqual(4);
  expect(report.answered).toBe(report.trainedRows + report.abandoned);
});
