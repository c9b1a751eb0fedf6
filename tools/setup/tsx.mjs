// Runs a TypeScript file of this repository, with packages taken from their sources: `node tools/setup/tsx.mjs <file>`.
import { ensureBuilt, run } from './ensure.mjs';

const { node, env } = await ensureBuilt();
process.exitCode = await run(node, ['--conditions=@weir/source', '--import', 'tsx', ...process.argv.slice(2)], { env });
