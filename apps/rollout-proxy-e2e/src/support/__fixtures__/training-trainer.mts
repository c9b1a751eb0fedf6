// A trainer that keeps episodes until they are trained. It stops after each stage for its parent to kill it there.
import { writeFileSync } from 'node:fs';
import { createRollout, createRolloutClient, createTrainingLog } from '@weir/rollout-sdk';

const [url = '', agent = '', folder = '', killedAfter = ''] = process.argv.slice(2);
const client = createRolloutClient({ url, adminKey: process.env.ROLLOUT_ADMIN_KEY ?? '' });
const rollout = createRollout({ client, keepUntilTrained: true });
const log = createTrainingLog({ client, file: `${folder}/training.json` });
const workflow = await rollout.resolve(agent);

async function reached(stage: string): Promise<void> {
  if (stage !== killedAfter) return;
  process.stdout.write(`reached: ${stage}\n`);
  setInterval(() => undefined, 60_000);
  await new Promise(() => undefined);
}

const episode = { agent: { calls: 1, then: { do: 'return', type: 'float', value: 1 } } };
const outcomes = [await workflow.arunEpisode(undefined, episode), await workflow.arunEpisode(undefined, episode)];
const completed = outcomes.flatMap((outcome) =>
  outcome.kind === 'episode' && outcome.status === 'completed' ? [outcome] : [],
);
await reached('exported');
await log.begin(1, completed);
await reached('begun');
writeFileSync(`${folder}/weights`, '1');
await reached('saved');
await log.trained(1);
await reached('acknowledged');
