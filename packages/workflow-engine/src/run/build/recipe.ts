import { createHash } from 'node:crypto';
import { runVariableNames, type Environment } from '../../values/environment/run-variables';
import { hostEnvironment } from '../../values/environment/host-environment';
import type { Masker } from '../../values/masking/masker';
import type { StepCommand } from '../../host/local-command/step-command';
import type { RunPorts } from '../context/run-ports';
import type { BuiltFile } from '../context/build-cache';
import type { PlacedFile } from './build-files';

/** All that the files of a step depend on. */
export interface Recipe {
  readonly command: Pick<StepCommand, 'run' | 'args' | 'shell' | 'isStepShell' | 'cwd' | 'env'>;
  readonly inputs: readonly (PlacedFile & Pick<BuiltFile, 'sha256'>)[];
  readonly targets: readonly PlacedFile[];
}

/** Raised when the meaning of a recipe changes. */
const version = 1;
/** These variables decide what a command does; the others of the host only say where it is. */
const decisiveHostNames = /^(?:PATH|LANG|LANGUAGE|TZ|LC_.+|LD_LIBRARY_PATH)$/;
const traceNames = new Set(['TRACEPARENT', 'TRACESTATE']);

/**
 * The same for the same recipe. Variables about the run and those of the session of the server do not count; secrets
 * count by their names only, so that no hash of one is stored.
 */
export function fingerprint(
  recipe: Recipe,
  { host, masker }: { readonly host: Environment; readonly masker: Masker | undefined },
): string {
  // The command may say more, such as the files of its logs.
  const { run, args, shell, isStepShell, cwd, env } = recipe.command;
  const counted = Object.entries(env)
    .filter(([name, value]) => isDecisive(name, value, host))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  const text = JSON.stringify({
    version,
    platform: `${process.platform}-${process.arch}`,
    command: { run, args, shell, isStepShell, cwd },
    env: counted,
    inputs: recipe.inputs.map(({ name, path, sha256 }) => [name, path, sha256]),
    targets: recipe.targets.map(({ name, path }) => [name, path]),
  });
  return createHash('sha256')
    .update(masker === undefined ? text : masker.text(text))
    .digest('hex');
}

/** Variables that the server hands on from its own environment without being told to. */
export function sessionEnvironment({ hostEnv }: Pick<RunPorts, 'hostEnv'>): Environment {
  return hostEnvironment(hostEnv);
}

function isDecisive(name: string, value: string, host: Environment): boolean {
  if (runVariableNames.has(name) || traceNames.has(name)) return false;
  return host[name] !== value || decisiveHostNames.test(name);
}
