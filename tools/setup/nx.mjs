// Nx under the right Node: `npm run nx -- <arguments>`.
import { runVisibly } from './command.mjs';
import { ensureTools } from './ensure.mjs';
import { nxCommand } from './tool-commands.mjs';
import { runScript } from './run-script.mjs';

await runScript(async (args) => {
  const runtime = await ensureTools();
  return runVisibly(nxCommand(runtime, args), runtime);
});
