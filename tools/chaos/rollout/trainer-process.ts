// A trainer in a separate process that can be killed: `trainer-process.ts <proxy> <admin key> <folder> <end id>`. Once
// a file `stop` is in the folder it trains the remaining episodes, and ends.
import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { createRollout, createRolloutClient, createTrainingLog, load, type CompletedEpisode } from '@weir/rollout-sdk';
import { createChaosAgent } from './chaos-agent';
import { readWeights, saveWeights, type TrainedRow } from './saved-weights';
import { scriptedAnswer } from './scripted-answer';

const [url = '', adminKey = '', folder = '', endId = ''] = process.argv.slice(2);
const file = (name: string): string => path.join(folder, name);
const episodesOfStep = 4;

async function main(): Promise<void> {
  const client = createRolloutClient({ url, adminKey });
  const rollout = createRollout({ client, keepUntilTrained: true });
  const log = createTrainingLog({ client, file: file('training.json') });
  const workflow = await rollout.resolve(createChaosAgent((id) => appendFileSync(file('answered'), `${id}\n`)));
  const train = async (episodes: readonly CompletedEpisode[]): Promise<void> => {
    const { version, rows } = readWeights(file('weights'));
    await log.begin(version + 1, episodes);
    const more = load(episodes.map(({ exported }) => exported)).rows.map(toTrainedRow);
    saveWeights(file('weights'), { version: version + 1, rows: [...rows, ...more] });
    await log.trained(version + 1);
    console.log(`step ${version + 1}`);
  };
  const { episodes: left, missing } = await log.recover(readWeights(file('weights')).version);
  for (const id of missing) appendFileSync(file('missing'), `${id}\n`);
  for await (const episode of left) await train([episode]);
  while (!existsSync(file('stop'))) {
    const data = Array.from({ length: episodesOfStep }, (_, index) => ({ text: `Task ${index}.` }));
    const outcomes = await Promise.all(data.map((one) => workflow.arunEpisode(undefined, one)));
    const completed: CompletedEpisode[] = [];
    for (const outcome of outcomes) {
      if (outcome.kind === 'episode' && outcome.status === 'completed') completed.push(outcome);
      else appendFileSync(file('rejected'), `${'reason' in outcome ? outcome.reason : ''}\n`);
    }
    if (completed.length > 0) await train(completed);
  }
  await client.close();
}

type LoadedRow = ReturnType<typeof load>['rows'][number];

function toTrainedRow({ id, tensors }: LoadedRow): TrainedRow {
  const ids = [...tensors.input_ids.data].map(Number);
  const mask = [...tensors.loss_mask.data].map(Number);
  const tokens = mask.reduce((sum, one) => sum + one, 0);
  const expected = scriptedAnswer(ids.slice(0, -tokens), Number(endId));
  const isExact = mask.slice(-tokens).every((one) => one === 1) && expected.join() === ids.slice(-tokens).join();
  return { id, tokens, isExact };
}

void main();
