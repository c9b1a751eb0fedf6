// `npm run lint`: every check that reads the sources. All of them run, so that one round shows everything.
import { runVisibly } from './command.mjs';
import { ensureAll } from './ensure.mjs';
import { runScript } from './run-script.mjs';
import { knipCommand, nxCommand, prettierCommand, scriptCommand } from './tool-commands.mjs';

const checks = [
  { name: 'ESLint', command: (runtime) => nxCommand(runtime, ['run-many', '-t', 'lint', '--output-style=static']) },
  { name: 'Prettier', command: (runtime) => prettierCommand(runtime, ['--check', '--log-level=warn', '.']) },
  { name: 'knip', command: (runtime) => knipCommand(runtime, ['--no-config-hints']) },
  {
    name: 'project references',
    command: (runtime) => scriptCommand(runtime, ['tools/scripts/references.mjs', '--check']),
  },
  { name: 'lockfile', command: (runtime) => scriptCommand(runtime, ['tools/scripts/check-lockfile.mjs']) },
];

await runScript(async () => {
  const runtime = await ensureAll();
  const failed = [];
  for (const { name, command } of checks) {
    const code = await runVisibly(command(runtime), runtime);
    process.stdout.write(`${name}: ${code === 0 ? 'ok' : 'failed'}\n`);
    if (code !== 0) failed.push(name);
  }
  if (failed.length > 0) process.stdout.write(`\nlint failed: ${failed.join(', ')}\n`);
  return failed.length > 0 ? 1 : 0;
});
