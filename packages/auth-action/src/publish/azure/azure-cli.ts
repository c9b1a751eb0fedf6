import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { AzureSettings } from '../../inputs/cloud-settings';
import { parseJsonObject, toJsonObject } from '../../runner/json-object';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { describeResult, findInPath, runProgram, type Program, type ProgramOptions } from './run-program';

/** The Azure CLI, if it is installed. */
export function findCli(env: ActionsRuntime['env']): Program | undefined {
  if (process.platform !== 'win32') {
    const file = findInPath(['az'], env);
    return file === undefined ? undefined : { file, args: [] };
  }
  // Windows starts a script only through a shell, so this starts the Python that the script would start.
  const script = findInPath(['az.cmd'], env);
  const python = script && path.join(path.dirname(script), '..', 'python.exe');
  return python === undefined ? undefined : { file: python, args: ['-IBm', 'azure.cli'] };
}

export interface CliSignIn {
  readonly runtime: ActionsRuntime;
  readonly cli: Program;
  /** The OIDC token in a file. */
  readonly tokenFile: string | undefined;
}

/**
 * Chooses the cloud, signs in and chooses the subscription. Secrets are passed in a file or on standard input. Fails with
 * `azure_cli_failed`, and with `azure_subscription_missing` without access to a subscription.
 */
export async function signInToCli(settings: AzureSettings, { runtime, cli, tokenFile }: CliSignIn): Promise<void> {
  const { credential, environment, subscriptionIds, tools } = settings;
  const secrets = credential.kind === 'secret' ? [credential.secret] : [];
  const call = async (args: readonly string[], options: Pick<ProgramOptions, 'input'> = {}): Promise<string> => {
    const result = await runProgram(cli, args, { env: runtime.env, ...options });
    if (result.exitCode === 0) return result.stdout;
    throw failed(`az ${args.slice(0, 2).join(' ')} ${describeResult(result, secrets)}`);
  };
  if (tools.clearsAccounts) await call(['account', 'clear']);
  if (environment === 'AzureStack') await registerStack(settings, call);
  await call(['cloud', 'set', '--name', environment]);
  const proof = await proofArguments(settings, tokenFile, call);
  const allow = subscriptionIds.length === 0 ? ['--allow-no-subscriptions'] : [];
  const input = credential.kind === 'secret' ? { input: credential.secret } : {};
  const found = readSubscriptions(await call(['login', ...proof, ...allow, ...quiet], input));
  await chooseSubscription(settings, { runtime, found, call });
  runtime.info(`Signed the Azure CLI in to ${environment}.`);
}

type Call = (args: readonly string[], options?: Pick<ProgramOptions, 'input'>) => Promise<string>;

const quiet = ['--output', 'json', '--only-show-errors'];

/** An earlier registration of the name may have other endpoints; without one, its removal fails. */
async function registerStack({ resourceManager }: AzureSettings, call: Call): Promise<void> {
  const domain = new URL(resourceManager).host.replace(/^[^.]*\./, '');
  await succeeds(async () => {
    await call(['cloud', 'set', '--name', 'AzureCloud']);
    await call(['cloud', 'unregister', '--name', 'AzureStack']);
  });
  const suffixes = ['--suffix-keyvault-dns', `.vault.${domain}`, '--suffix-storage-endpoint', domain];
  const endpoint = ['--endpoint-resource-manager', resourceManager];
  const register = ['cloud', 'register', '--name', 'AzureStack', ...endpoint, ...suffixes];
  // Recent versions of the CLI do not know the profile any more, and earlier ones need it.
  if (await succeeds(() => call([...register, '--profile', '2019-03-01-hybrid']))) return;
  await call(register);
}

/** False if the CLI refuses. */
async function succeeds(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The CLI replaces an argument that starts with `@` by the content of the file, or of standard input for `@-`. */
async function proofArguments(
  { credential, clientId, tenantId }: AzureSettings,
  tokenFile: string | undefined,
  call: Call,
): Promise<readonly string[]> {
  if (credential.kind === 'managed') {
    return clientId === undefined ? ['--identity'] : ['--identity', await findIdentityOption(call), clientId];
  }
  const proof = credential.kind === 'secret' ? '--password=@-' : `--federated-token=@${String(tokenFile)}`;
  return ['--service-principal', '--username', String(clientId), '--tenant', String(tenantId), proof];
}

/** Version 2.69 replaced the option. */
async function findIdentityOption(call: Call): Promise<string> {
  const version = parseJsonObject(await call(['version', '--output', 'json']))?.['azure-cli'];
  const [major = 0, minor = 0] = String(version).split('.').map(Number);
  return major > 2 || minor >= 69 ? '--client-id' : '--username';
}

interface Subscription {
  readonly id: string;
  readonly isDefault: boolean;
}

function readSubscriptions(text: string): readonly Subscription[] {
  const parsed: unknown = parseArray(text);
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((entry) => {
    const { id, tenantId, isDefault } = toJsonObject(entry) ?? {};
    // A tenant without subscriptions is listed with its own id.
    if (typeof id !== 'string' || id === tenantId) return [];
    return [{ id: id.toLowerCase(), isDefault: isDefault === true }];
  });
}

function parseArray(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Choice {
  readonly runtime: ActionsRuntime;
  readonly found: readonly Subscription[];
  readonly call: Call;
}

async function chooseSubscription({ subscriptionIds }: AzureSettings, { runtime, found, call }: Choice): Promise<void> {
  const [wanted] = subscriptionIds;
  if (wanted === undefined) {
    if (found.length > 1) {
      const chosen = found.find(({ isDefault }) => isDefault)?.id ?? 'the first of them';
      runtime.warning(
        `The Azure CLI has access to ${found.length} subscriptions and uses ${chosen}. Set azure_subscription_id.`,
      );
    }
    return;
  }
  const missing = subscriptionIds.filter((id) => !found.some((subscription) => subscription.id === id));
  if (missing.length > 0) {
    throw new AppError('forbidden', `The Azure CLI has no access to the subscription ${missing.join(', ')}.`, {
      reason: 'azure_subscription_missing',
    });
  }
  if (!found.some(({ id, isDefault }) => id === wanted && isDefault)) {
    await call(['account', 'set', '--subscription', wanted]);
  }
}

function failed(what: string): AppError {
  return new AppError('internal', `The Azure CLI could not be signed in: ${what}`, { reason: 'azure_cli_failed' });
}
