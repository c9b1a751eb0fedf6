import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { AzureSettings } from '../../inputs/cloud-settings';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { describeResult, findInPath, runProgram, type Program, type ProgramResult } from './run-program';

/** PowerShell 7, if it is installed. */
export function findPowerShell(env: ActionsRuntime['env']): Program | undefined {
  const file = findInPath([process.platform === 'win32' ? 'pwsh.exe' : 'pwsh'], env);
  return file === undefined ? undefined : { file, args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command'] };
}

// The scripts contain no value: those of the sign-in are on standard input, as JSON.
const importModule = [
  "$ErrorActionPreference = 'Stop'",
  "$WarningPreference = 'SilentlyContinue'",
  "$ProgressPreference = 'SilentlyContinue'",
  '$module = Get-Module -Name Az.Accounts -ListAvailable | Sort-Object -Property Version -Descending | Select-Object -First 1',
  "if ($null -eq $module) { throw 'The module Az.Accounts is not installed.' }",
  'Import-Module -Name $module.Path',
];

const clear = [
  'Clear-AzContext -Scope Process',
  'Clear-AzContext -Scope CurrentUser -Force -ErrorAction SilentlyContinue',
];

const signInScript = [
  '$given = $input | Out-String | ConvertFrom-Json',
  ...importModule,
  `if ($given.clear) { ${clear.join('; ')} }`,
  'if ($given.endpoint) { Add-AzEnvironment -Name $given.environment -ARMEndpoint $given.endpoint | Out-Null }',
  '$options = @{ Environment = $given.environment }',
  'if ($given.tenant) { $options.Tenant = $given.tenant }',
  'if ($given.subscription) { $options.Subscription = $given.subscription }',
  'if ($given.managed) { $options.Identity = $true } else { $options.ServicePrincipal = $true }',
  'if ($given.managed -and $given.client) { $options.AccountId = $given.client }',
  'if ($given.token) { $options.ApplicationId = $given.client; $options.FederatedToken = $given.token }',
  'if ($given.secret) { $secure = ConvertTo-SecureString -String $given.secret -AsPlainText -Force; $options.Credential = [pscredential]::new($given.client, $secure) }',
  'Connect-AzAccount @options | Out-Null',
].join('\n');

const signOutScript = [...importModule, ...clear].join('\n');

export interface PowerShellSignIn {
  readonly runtime: ActionsRuntime;
  readonly powershell: Program;
  readonly oidcToken: string | undefined;
}

/** Fails with `azure_powershell_failed`. */
export async function signInToPowerShell(
  settings: AzureSettings,
  { runtime, powershell, oidcToken }: PowerShellSignIn,
): Promise<void> {
  const { credential, environment, resourceManager, tenantId, clientId, subscriptionIds, tools } = settings;
  const secret = credential.kind === 'secret' ? credential.secret : undefined;
  const given = {
    environment,
    endpoint: environment === 'AzureStack' ? resourceManager : undefined,
    tenant: tenantId,
    client: clientId,
    subscription: subscriptionIds[0],
    clear: tools.clearsAccounts,
    managed: credential.kind === 'managed',
    token: oidcToken,
    secret,
  };
  const result = await run(powershell, signInScript, { env: runtime.env, input: JSON.stringify(given) });
  if (result.exitCode === 0) {
    runtime.info(`Signed Azure PowerShell in to ${environment}.`);
    return;
  }
  const what = describeResult(result, [secret ?? '', oidcToken ?? '']);
  throw new AppError('internal', `Azure PowerShell could not be signed in: pwsh ${what}`, {
    reason: 'azure_powershell_failed',
  });
}

/** Removes the accounts of Azure PowerShell. */
export function signOutOfPowerShell(powershell: Program, env: ActionsRuntime['env']): Promise<ProgramResult> {
  return run(powershell, signOutScript, { env, input: '' });
}

interface ScriptOptions {
  readonly env: ActionsRuntime['env'];
  readonly input: string;
}

/** The images of GitHub's runners have the modules in a folder that PowerShell does not search by itself. */
function run(powershell: Program, script: string, { env, input }: ScriptOptions): Promise<ProgramResult> {
  const folder = process.platform === 'win32' ? String.raw`C:\Modules` : '/usr/share';
  const folders = [folder, ...(env.PSModulePath ? [env.PSModulePath] : [])].join(path.delimiter);
  return runProgram(powershell, [script], { env: { ...env, PSModulePath: folders }, input });
}
