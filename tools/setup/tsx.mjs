// Runs a TypeScript file of this repository, with packages taken from their sources: `node tools/setup/tsx.mjs <file>`.
import { runVisibly } from './command.mjs';
import { ensureAll } from './ensure.mjs';
import { runScript } from './run-script.mjs';
import { scriptCommand } from './tool-commands.mjs';

await runScript(async (args) => {
  const runtime = await ensureAll();
  return runVisibly(scriptCommand(runtime, ['--conditions=@weir/source', '--import', 'tsx', ...args]), runtime);
});
