// `npm run bench <name>` measures built programs; without a name it lists what there is.
import { runNamed } from '../scripts/run-named';

void runNamed('bench', {
  'auth-action': { does: 'bytes and cold starts of the action', load: () => import('./auth-action.js') },
  commands: { does: 'what a command costs, beside another program', load: () => import('./commands.js') },
  'dag-list': { does: 'the list of 10,000 DAGs in a browser', load: () => import('./dag-list.js') },
  dispatch: { does: 'how soon queued runs start, and what idle processes ask', load: () => import('./dispatch.js') },
  engine: { does: 'runs and steps, beside a bare process and a bare commit', load: () => import('./engine.js') },
  'graph-layout': { does: 'the layout of large graphs', load: () => import('./graph-layout.js') },
  history: { does: 'lists over 100,000 runs, and a run of 1,000 steps', load: () => import('./server-history.js') },
  isolation: { does: 'isolated steps beside others', load: () => import('./isolation.js') },
  language: { does: 'reading and checking DAG files, beside a bare YAML library', load: () => import('./language.js') },
  'log-view': { does: 'a log of 2 GB in a browser', load: () => import('./log-view.js') },
  logs: { does: 'parts and searches of a log of 2 GiB over HTTP', load: () => import('./server-logs.js') },
  queue: { does: 'the queue of runs on SQLite', load: () => import('./queue.js') },
  requests: { does: 'requests per second of the workflow server', load: () => import('./requests.js') },
  rollout: { does: 'the rollout proxy beside a bare relay', load: () => import('./rollout.js') },
  'rollout-gateways': {
    does: 'the rollout proxy beside LiteLLM and Portkey',
    load: () => import('./rollout-gateways.js'),
  },
  'rollout-sdk': { does: "episodes by the trainer's package, in both modes", load: () => import('./rollout-sdk.js') },
  'rollout-workers': {
    does: 'several workers of the rollout proxy beside one',
    load: () => import('./rollout-workers.js'),
  },
  soak: { does: 'memory, database and idle time after 20,000 runs', load: () => import('./server-soak.js') },
  streams: { does: 'how soon 500 clients know of a change', load: () => import('./server-streams.js') },
  'token-view': { does: '131,072 tokens in a browser', load: () => import('./token-view.js') },
});
