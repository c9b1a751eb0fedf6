// The two things that a checkout lacks before it can run: generated database clients and the bundled servers.
import { existsSync, writeFileSync } from 'node:fs';
import { runQuietly } from './command.mjs';
import { fingerprint, readIfPresent } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { npmCommand } from './npm.mjs';
import { phase } from './progress.mjs';
import { inWorkspace } from './workspace.mjs';

const steps = [
  {
    label: 'generating the database clients',
    log: 'generate',
    args: ['run', 'generate', '-w', 'packages/workflow-db'],
    sources: [
      'packages/workflow-db/prisma',
      'packages/workflow-db/scripts',
      'packages/workflow-db/package.json',
      'package-lock.json',
    ],
    // Beside its output, so that removing the output removes the stamp too.
    stamp: 'packages/workflow-db/src/generated/.weir-stamp',
    outputs: ['packages/workflow-db/src/generated/sqlite', 'packages/workflow-db/src/generated/postgresql'],
  },
  {
    label: 'building the servers',
    log: 'build',
    args: ['run', 'build', '-w', 'apps/workflow-api', '-w', 'apps/rollout-proxy'],
    sources: [
      'apps/workflow-api/src',
      'apps/workflow-api/package.json',
      'apps/workflow-api/bundle.json',
      'apps/rollout-proxy/src',
      'apps/rollout-proxy/package.json',
      'apps/rollout-proxy/bundle.json',
      'packages',
      'tools/scripts/bundle-app.mjs',
      'tsconfig.base.json',
      'package-lock.json',
    ],
    stamp: 'apps/workflow-api/dist/.weir-stamp',
    outputs: ['apps/workflow-api/dist/main.js', 'apps/rollout-proxy/dist/main.js'],
  },
];

function isDone(step, wanted) {
  const hasOutputs = step.outputs.every((output) => existsSync(inWorkspace(output)));
  return hasOutputs && readIfPresent(inWorkspace(step.stamp)) === wanted;
}

/** Generates and builds what is missing or older than its sources. */
export async function ensureBuilt(runtime) {
  for (const step of steps) {
    const wanted = fingerprint(step.sources, runtime.version);
    if (isDone(step, wanted)) continue;
    await withLock(async () => {
      if (isDone(step, wanted)) return;
      await phase(step.label, () =>
        runQuietly(npmCommand(runtime.node, step.args), { env: runtime.env, log: step.log, what: step.label }),
      );
      writeFileSync(inWorkspace(step.stamp), wanted);
    });
  }
}
