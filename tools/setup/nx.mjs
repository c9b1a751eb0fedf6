// Nx under the right Node: `npm run nx -- <arguments>`.
import { ensureTools, inWorkspace, run } from './ensure.mjs';

const { node, env } = await ensureTools();
process.exitCode = await run(node, [inWorkspace('node_modules/nx/dist/bin/nx.js'), ...process.argv.slice(2)], { env });
