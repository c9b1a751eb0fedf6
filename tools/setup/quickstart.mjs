// `npm run quickstart [-- options of train.py]`: builds the proxy and trains the tiny model of examples/rl-quickstart.
import { ensureBuilt, inWorkspace, run } from './ensure.mjs';

const { node, env } = await ensureBuilt();
const python3 = process.platform === 'win32' ? 'python' : 'python3';
const args = [inWorkspace('examples/rl-quickstart/run.py'), ...process.argv.slice(2)];
process.exitCode = await run(python3, args, { env: { ...env, WEIR_NODE: node } });
