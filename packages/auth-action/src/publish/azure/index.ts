import { AppError } from '@weir/foundation';
import type { AzureSettings } from '../../inputs/cloud-settings';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { formatState, stateNames, type AzureState } from '../../runner/state';
import { findCli, signInToCli } from './azure-cli';
import { findPowerShell, signInToPowerShell } from './azure-powershell';
import { replaceAssertion, type CliAccount } from './cli-store';
import type { Program } from './run-program';
import { signOut } from './sign-out';

// A separate bundle, which main and post load only for jobs that sign the tools of Azure in.
export { signOut } from './sign-out';

export interface ToolSignIn {
  readonly runtime: ActionsRuntime;
  readonly oidcToken: string | undefined;
  /** The file with the OIDC token. */
  readonly tokenFile: string | undefined;
  /** The account of the CLI that the renewing process gives new tokens. */
  readonly renewed: CliAccount | undefined;
}

/**
 * Signs in the Azure CLI and Azure PowerShell, as the settings say, and returns what undoes it. Fails with
 * `azure_cli_missing` and `azure_powershell_missing`, and like the sign-ins. A failure leaves no tool signed in.
 */
export async function signInToTools(
  settings: AzureSettings,
  { runtime, oidcToken, tokenFile, renewed }: ToolSignIn,
): Promise<() => Promise<void>> {
  const { clientId, credential, tools } = settings;
  const cli = chooseCli(settings, runtime);
  const powershell = choosePowerShell(settings, runtime);
  // The CLI names managed identities after their kind.
  const kind = clientId === undefined ? 'systemAssignedIdentity' : 'userAssignedIdentity';
  const account = credential.kind === 'managed' ? kind : clientId;
  const state: AzureState = { account: cli && account, powershell: powershell !== undefined };
  const undo = async (): Promise<void> => {
    const warning = await signOut(state, runtime.env);
    if (warning !== undefined) runtime.warning(warning);
  };
  if (cli === undefined && powershell === undefined) return () => Promise.resolve();
  // Before the tools have accounts, so that post knows of them in any case.
  if (tools.signsOut) runtime.saveState(stateNames.azure, formatState(state));
  try {
    if (cli !== undefined) {
      await signInToCli(settings, { runtime, cli, tokenFile });
      if (renewed !== undefined && oidcToken !== undefined) reportRenewal(runtime, renewed, oidcToken);
    }
    if (powershell !== undefined) await signInToPowerShell(settings, { runtime, powershell, oidcToken });
  } catch (error) {
    await undo();
    throw error;
  }
  return undo;
}

function chooseCli({ credential, authorityHost, tools }: AzureSettings, runtime: ActionsRuntime): Program | undefined {
  if (tools.cli === 'never') return undefined;
  const cli = findCli(runtime.env);
  if (cli !== undefined) return cli;
  const isOnlyWay = (credential.kind === 'managed' || authorityHost === undefined) && !tools.powershell;
  if (tools.cli === 'always' || isOnlyWay) {
    throw new AppError('invalid_request', 'The Azure CLI is to be signed in, but there is no az on PATH.', {
      reason: 'azure_cli_missing',
    });
  }
  runtime.info('The Azure CLI is not signed in, because there is no az on PATH.');
  return undefined;
}

/** The assertion of the sign-in is replaced by itself, as the renewing process will replace it. */
function reportRenewal(runtime: ActionsRuntime, account: CliAccount, oidcToken: string): void {
  if (replaceAssertion(account, oidcToken)) return;
  runtime.info(
    'The Azure CLI encrypts its accounts here, so nothing can renew them: commands that need a new token after some minutes fail. Set AZURE_CORE_ENCRYPT_TOKEN_CACHE to false in the env of the job to have them renewed.',
  );
}

function choosePowerShell({ tools }: AzureSettings, { env }: ActionsRuntime): Program | undefined {
  if (!tools.powershell) return undefined;
  const powershell = findPowerShell(env);
  if (powershell !== undefined) return powershell;
  throw new AppError('invalid_request', 'Azure PowerShell is to be signed in, but there is no pwsh on PATH.', {
    reason: 'azure_powershell_missing',
  });
}
