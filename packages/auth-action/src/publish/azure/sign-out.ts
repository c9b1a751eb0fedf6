import { describeMessage } from '../../runner/describe-error';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import type { AzureState } from '../../runner/state';
import { findCli } from './azure-cli';
import { findPowerShell, signOutOfPowerShell } from './azure-powershell';
import { describeResult, runProgram } from './run-program';

/** Signs the tools out that main signed in. Returns a warning on failure. */
export async function signOut(
  { account, powershell }: AzureState,
  env: ActionsRuntime['env'],
): Promise<string | undefined> {
  const warnings = [
    ...(account === undefined ? [] : [await attempt('Azure CLI', () => signOutOfCli(account, env))]),
    ...(powershell ? [await attempt('Azure PowerShell', () => signOutOfShell(env))] : []),
  ];
  const texts = warnings.filter((warning) => warning !== undefined);
  return texts.length === 0 ? undefined : texts.join(' ');
}

/** Accounts of others remain, such as that of the user of the machine. */
async function signOutOfCli(account: string, env: ActionsRuntime['env']): Promise<string | undefined> {
  const cli = findCli(env);
  if (cli === undefined) return 'az is not on PATH';
  const result = await runProgram(cli, ['logout', '--username', account, '--only-show-errors'], { env });
  return result.exitCode === 0 ? undefined : `az logout ${describeResult(result, [])}`;
}

async function signOutOfShell(env: ActionsRuntime['env']): Promise<string | undefined> {
  const powershell = findPowerShell(env);
  if (powershell === undefined) return 'pwsh is not on PATH';
  const result = await signOutOfPowerShell(powershell, env);
  return result.exitCode === 0 ? undefined : `pwsh ${describeResult(result, [])}`;
}

async function attempt(tool: string, act: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    const failure = await act();
    return failure && `${tool} is still signed in: ${failure}.`;
  } catch (error) {
    return `${tool} is still signed in: ${describeMessage(error)}.`;
  }
}
