// `npm run chaos <name>` kills built programs at random moments and counts what was lost; without a name it lists what
// there is.
import { runNamed } from '../scripts/run-named';

void runNamed('chaos', {
  'auth-action': { does: 'days with faults of the clouds', load: () => import('./auth-action.js') },
  quickstart: { does: 'proxy, trainer and engine of examples/rl-quickstart', load: () => import('./quickstart.js') },
  rollout: { does: 'engine and trainer of the rollout proxy', load: () => import('./rollout/main.js') },
  'rollout-workers': {
    does: 'workers of the rollout proxy, with 2,000 calls in flight',
    load: () => import('./rollout-workers/main.js'),
  },
  schedule: { does: 'a month of three schedulers with wrong clocks', load: () => import('./schedule.js') },
  server: { does: 'the workflow server, with --postgres two of them', load: () => import('./main.js') },
  workflow: {
    does: 'machines in network namespaces: killed, paused, cut off',
    load: () => import('./workflow/main.js'),
  },
});
