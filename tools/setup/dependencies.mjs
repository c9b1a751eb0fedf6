// node_modules exactly as the lockfile says. The stamp is written last, so an interrupted install is done again.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { runQuietly } from './command.mjs';
import { readIfPresent } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { npmCommand } from './npm.mjs';
import { phase } from './progress.mjs';
import { inWorkspace, isPresent, SetupError } from './workspace.mjs';

const stampFile = inWorkspace('node_modules/.weir-stamp');

function wantedStamp(runtime) {
  if (!isPresent('package-lock.json')) throw new SetupError('package-lock.json is missing; this is no whole checkout');
  const lock = createHash('sha256')
    .update(readFileSync(inWorkspace('package-lock.json')))
    .digest('hex');
  return JSON.stringify({ lock, node: runtime.version.split('.')[0], platform: `${process.platform}-${process.arch}` });
}

export async function ensureDependencies(runtime) {
  const wanted = wantedStamp(runtime);
  if (readIfPresent(stampFile) === wanted) return;
  await withLock(async () => {
    if (readIfPresent(stampFile) === wanted) return;
    await phase('installing dependencies, about a minute', () =>
      runQuietly(npmCommand(runtime.node, ['ci', '--ignore-scripts']), {
        env: runtime.env,
        log: 'install',
        what: 'installing dependencies',
      }),
    );
    writeFileSync(stampFile, wanted);
  });
}
