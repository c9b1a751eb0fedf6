// Runs a script of this repository, with packages taken from their sources: `node tools/setup/tsx.mjs <file>`.
import { ensureTools, run } from './ensure.mjs';

const { node, env } = await ensureTools();
process.exitCode = await run(node, ['--conditions=@weir/source', '--import', 'tsx', ...process.argv.slice(2)], { env });
