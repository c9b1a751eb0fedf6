// Plays groups of episodes in front of a running proxy and loads what a trainer needs.
//   ROLLOUT_ADMIN_KEY=… node examples/typescript-agent/main.mts inline|subproc [url]
import { createRollout, createRolloutClient, load } from '@weir/rollout-sdk';

const [mode = 'inline', url = 'http://127.0.0.1:8000'] = process.argv.slice(2);
const adminKey = process.env.ROLLOUT_ADMIN_KEY;
if (adminKey === undefined) throw new Error('ROLLOUT_ADMIN_KEY is not set.');

const client = createRolloutClient({ url, adminKey });
const rollout = createRollout({
  client,
  config: { rollout: { llm: { mode, subproc_max_workers: 2 } } },
  baseFolder: import.meta.dirname,
  timeoutMs: 120_000,
  export: { style: 'concat', discount: 0.9 },
});
const workflow = await rollout.resolve('./agent.mts#LetterAgent', { groupSize: 4, taskId: 'letters' });

const outcome = await workflow.arunEpisode(undefined, { question: 'Which letter do you like?', wanted: 'e' });
if (outcome.kind !== 'group') throw new Error('The outcome is not that of a group.');
const completed = outcome.members.filter((member) => member.status === 'completed');
const { rows, batch } = load(completed.map(({ exported }) => exported));

console.log(`group: ${outcome.status}`);
for (const member of outcome.members) {
  console.log(member.status === 'completed' ? `reward: ${member.reward.toFixed(3)}` : `rejected: ${member.reason}`);
}
console.log(`rows: ${rows.length}`);
for (const [name, { dtype, shape }] of Object.entries(batch ?? {}))
  console.log(`${name}: ${dtype} [${shape.join(', ')}]`);

await rollout.close();
await client.close();
