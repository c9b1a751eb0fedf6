// A trainer that plays one episode without end, to be killed.
import { createRollout, createRolloutClient } from '@weir/rollout-sdk';

const [url = '', agent = '', behaviour = ''] = process.argv.slice(2);
const client = createRolloutClient({ url, adminKey: process.env.ROLLOUT_ADMIN_KEY ?? '' });
const rollout = createRollout({ client, config: { rollout: { llm: { mode: 'subproc' } } } });
const workflow = await rollout.resolve(agent);
await workflow.arunEpisode(undefined, { agent: { calls: 1, then: { do: behaviour, tells: true } } });
