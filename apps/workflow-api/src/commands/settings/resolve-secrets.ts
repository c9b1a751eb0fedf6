import path from 'node:path';
import { AppError } from '@weir/foundation';
import { createSecretReaders, resolveSecrets, type ReadStoredSecret } from '@weir/workflow-engine';
import { isDagName } from '@weir/workflow-spec';
import { secretStores } from '../../features/worker/worker-settings';
import { findRunnableTarget } from '../shared/find-runnable-target';
import type { StoreCommand } from '../shared/program-host';

export interface ResolveSecretsOptions extends StoreCommand {
  /** A path, or the name of a DAG in the DAGs folder. */
  readonly target: string;
  /** The name of the secret whose value alone is printed. Default: none; no value is printed. */
  readonly value?: string | undefined;
}

/**
 * Reads the secrets of a DAG as a run on this machine would, and prints whether each can be had. Returns the exit code:
 * 1 when one cannot. Throws `invalid_request` for the value of a secret that the DAG does not have.
 */
export async function resolveDagSecrets(options: ResolveSecretsOptions): Promise<number> {
  const { config, hostEnvironment, print, printError, value: wanted } = options;
  const target = await findRunnableTarget(options, options.target);
  if (target === undefined) return 1;
  const { fileName, dag } = target;
  const secrets = dag.secrets ?? [];
  if (wanted !== undefined && !secrets.some(({ name }) => name === wanted)) {
    throw new AppError('invalid_request', `The DAG has no secret "${wanted}".`);
  }
  const sources = {
    hostEnv: hostEnvironment,
    folder: isDagName(fileName) ? config.dags.folder : path.dirname(fileName),
    providers: createSecretReaders(secretStores(config.secrets)),
  };
  const chosen = secrets.filter(({ name }) => wanted === undefined || name === wanted);
  const resolveAll = async (readStored: ReadStoredSecret | undefined): Promise<number> => {
    let failed = 0;
    for (const secret of chosen) {
      const read = await resolveSecrets({ ...dag, secrets: [secret] }, { ...sources, readStored });
      if ('problem' in read) {
        printError(`weir: ${read.problem}`);
        failed += 1;
      } else {
        const text = read.values.get(secret.name) ?? '';
        print(wanted === undefined ? `${secret.name}: found, ${Buffer.byteLength(text)} bytes` : text);
      }
    }
    return failed === 0 ? 0 : 1;
  };
  if (!chosen.some(({ kind }) => kind === 'ref')) return resolveAll(undefined);
  // Only this kind is in the database, which another process may hold.
  const { withOwnApplication } = await options.loadOwnStore();
  return withOwnApplication(options, ({ application }) => resolveAll(application.readStoredSecret));
}
