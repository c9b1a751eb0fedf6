import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runPost } from '../post/run-post';
import { refreshTokens, type RefreshConfig } from '../publish/clouds/refresh-tokens';
import { createFakeAzureTools, type FakeAzureTools } from './testing/fake-azure-tools';
import {
  federated,
  runInProcess,
  type InProcessOptions,
  type InProcessRun,
  type Inputs,
} from './testing/run-in-process';

const first = '33333333-3333-4333-8333-333333333333';
const second = '44444444-4444-4444-8444-444444444444';
const subscriptions = (...ids: readonly string[]): string =>
  JSON.stringify(ids.map((id, index) => ({ id, tenantId: '1', isDefault: index === 0 })));

describe('a step that signs in to Azure', () => {
  let fake: FakeCloud;
  let temporary: TemporaryFolder;
  let tools: FakeAzureTools;
  beforeEach(async () => {
    fake = await startFakeCloud();
    temporary = temporaryFolder();
    mkdirSync(temporary.file('temp'));
    tools = createFakeAzureTools(temporary.file('bin'));
    tools.reply({ to: 'login', stdout: subscriptions(first, second) });
  });
  afterEach(async () => {
    await fake.stop();
    await temporary.remove();
  });

  const ids = (inputs: Inputs = {}): Inputs => ({
    azure_tenant_id: fake.azureApp.tenantId,
    azure_client_id: fake.azureApp.clientId,
    azure_subscription_id: first,
    azure_authority_host: fake.bases.azure,
    ...inputs,
  });
  const credentials = (changes: Readonly<Record<string, unknown>> = {}): string =>
    JSON.stringify({
      clientId: fake.azureApp.clientId,
      clientSecret: fake.azureApp.clientSecret,
      tenantId: fake.azureApp.tenantId,
      subscriptionId: first,
      activeDirectoryEndpointUrl: 'https://login.microsoftonline.com',
      resourceManagerEndpointUrl: 'https://management.azure.com/',
      ...changes,
    });
  const json = (changes?: Readonly<Record<string, unknown>>): Inputs => ({
    azure_credentials_json: credentials(changes),
    azure_authority_host: fake.bases.azure,
  });
  const run = (inputs: Inputs, options: Partial<InProcessOptions> = {}): Promise<InProcessRun> =>
    runInProcess(fake, {
      inputs,
      ...options,
      env: { RUNNER_TEMP: temporary.file('temp'), ...tools.env, ...options.env },
    });
  const tokenFile = (): string => temporary.file('temp', 'gha-tokens-a5a5a5a5a5a5a5a5', 'azure');
  const scopes = () => fake.tokens.ofKind('azure token').flatMap((token) => token.scopes);
  const post = async (state: InProcessRun['state']): Promise<string> => {
    const lines: string[] = [];
    const named = Object.entries(state).map(([name, value]) => [`STATE_${name}`, value] as const);
    await runPost({
      env: { ...tools.env, ...Object.fromEntries(named) },
      write: (text) => void lines.push(text),
      revocationTimeoutMs: 1,
    });
    return lines.join('');
  };

  describe('with the Azure CLI', () => {
    it('signs it in with the token file, which no list of processes shows, and out in post', async () => {
      const end = await run(ids({ azure_audience: 'api://AzureADTokenExchange' }));

      expect(end.error).toBeUndefined();
      expect(tools.commands()).toEqual([
        'cloud set --name AzureCloud',
        `login --service-principal --username ${fake.azureApp.clientId} --tenant ${fake.azureApp.tenantId} --federated-token=@${tokenFile()} --output json --only-show-errors`,
      ]);
      expect(tools.accounts()).toEqual([
        {
          client_id: fake.azureApp.clientId,
          tenant: fake.azureApp.tenantId,
          client_assertion: fake.tokens.ofKind('oidc token')[0]?.secret,
        },
      ]);
      const environments = tools.calls().map(({ env }) => env);
      expect(fake.tokens.leaks(JSON.stringify([tools.commands(), environments, end.state, end.lines]))).toEqual([]);
      expect(end.lines).toContain('info Signed the Azure CLI in to AzureCloud.');

      expect(await post(end.state)).toContain('The tools of Azure are signed out.');
      expect(tools.commands().at(-1)).toBe(`logout --username ${fake.azureApp.clientId} --only-show-errors`);
      expect(tools.accounts()).toEqual([]);
    });

    it('remains signed in after the job on request', async () => {
      const end = await run(ids({ azure_sign_out: 'false' }));
      await post(end.state);

      expect(tools.accounts()).toHaveLength(1);
    });

    it('removes the accounts of earlier sign-ins on request', async () => {
      await run(ids({ azure_clear_accounts: 'true' }));

      expect(tools.commands()[0]).toBe('account clear');
    });

    it('chooses the subscription, and compares the others', async () => {
      expect((await run(ids({ azure_subscription_id: `${second}\n${first}` }))).env).toMatchObject({
        AZURE_SUBSCRIPTION_ID: second,
        ARM_SUBSCRIPTION_ID: second,
      });
      expect(tools.commands().at(-1)).toBe(`account set --subscription ${second}`);
    });

    it('fails without access to a subscription, and leaves nothing behind', async () => {
      const other = '55555555-5555-4555-8555-555555555555';
      const end = await run(ids({ azure_subscription_id: `${first}, ${other}` }));

      expect(end).toMatchObject({ error: { reason: 'azure_subscription_missing' }, outputs: {}, env: {} });
      expect(end.error?.message).toContain(other);
      expect(tools.accounts()).toEqual([]);
      expect(readdirSync(temporary.file('temp'))).toEqual([]);
    });

    it.each([
      ['none', subscriptions(), []],
      ['one', subscriptions(first), []],
      [
        'several',
        subscriptions(first, second),
        [`warning The Azure CLI has access to 2 subscriptions and uses ${first}. Set azure_subscription_id.`],
      ],
      ['a tenant without subscriptions', JSON.stringify([{ id: first, tenantId: first }]), []],
    ])('needs no subscription, and warns only if the choice is open: %s', async (_case, stdout, warnings) => {
      tools.reply({ to: 'login', stdout });
      const end = await run(ids({ azure_subscription_id: '' }));

      expect(end.error).toBeUndefined();
      expect(tools.commands().at(-1)).toContain(' --allow-no-subscriptions ');
      expect(end.lines.filter((line) => line.startsWith('warning'))).toEqual(warnings);
      expect(end.env).not.toHaveProperty('AZURE_SUBSCRIPTION_ID');
    });

    it.each([
      ['auto', 'azure_cli', undefined],
      ['true', 'azure_cli', 'azure_cli_missing'],
    ])('says that it is not installed, with %s', async (choice, input, reason) => {
      const end = await run(ids({ [input]: choice }), { env: { PATH: temporary.file('temp') } });

      expect(end.error?.reason).toBe(reason);
      const said = [...end.lines, end.error?.message].join('\n');
      expect(said).toContain('there is no az on PATH');
    });

    it('is not started with azure_cli: false, nor by a check', async () => {
      await run(ids({ azure_cli: 'false' }));
      await run(ids({ check: 'true' }));

      expect(tools.calls()).toEqual([]);
    });

    it.each([
      [
        'login',
        'ERROR: No subscriptions found.',
        'az login --service-principal failed (exit code 1): ERROR: No subscriptions',
      ],
      ['cloud set', 'ERROR: unknown cloud', 'az cloud set failed (exit code 1): ERROR: unknown cloud'],
    ])('hands nothing out if az %s fails, and quotes it', async (to, stderr, message) => {
      tools.reply({ to, stderr, exitCode: 1 });
      const end = await run({ ...ids(), ...federated(fake) });

      expect(end).toMatchObject({ error: { reason: 'azure_cli_failed' }, outputs: {}, env: {}, files: [] });
      expect(end.error?.message).toContain(message);
      expect(readdirSync(temporary.file('temp'))).toEqual([]);
    });

    it('is ended if it prints without end', async () => {
      tools.reply({ to: 'login', stdout: 'x'.repeat(9 * 1_048_576) });

      expect((await run(ids())).error?.message).toContain('az login --service-principal was ended');
    });

    it('is signed out again if a later part of the step fails', async () => {
      const setOutput = (): void => {
        throw new Error('ENOSPC');
      };
      await expect(run(ids(), { runtime: { setOutput } })).rejects.toThrow('ENOSPC');

      expect(tools.commands().at(-1)).toMatch(/^logout /);
      expect(tools.accounts()).toEqual([]);
    });

    it('makes post warn if it cannot be signed out', async () => {
      const { state } = await run(ids());
      tools.reply({ to: 'logout', stderr: 'ERROR: locked', exitCode: 1 });

      expect(await post(state)).toContain(
        '::warning::Azure CLI is still signed in: az logout failed (exit code 1): ERROR: locked',
      );
    });

    it.each(['{"account":"--debug","powershell":false}', '{"account":"a"}', '[]'])(
      'is not signed out by a state that main did not write: %s',
      async (weir_azure) => {
        expect(await post({ weir_azure })).toContain('::warning::The saved state of the main step is invalid');
        expect(tools.calls()).toEqual([]);
      },
    );

    it('gets each renewed token, and the accounts of others stay', async () => {
      const configs: RefreshConfig[] = [];
      const startRefresher = (config: RefreshConfig): Promise<void> => Promise.resolve(void configs.push(config));
      const { state, lines } = await run(ids(), { runOptions: { startRefresher } });
      const [config] = configs;
      if (config === undefined) throw new Error('The renewal was not started.');
      const { clientId, tenantId } = fake.azureApp;
      const others = [
        { client_id: 'other', tenant: tenantId, client_assertion: 'kept' },
        { client_id: clientId, tenant: 'other', client_secret: 'kept' },
      ];
      writeFileSync(tools.accountsFile, JSON.stringify([...tools.accounts(), ...others]));
      let renewed: unknown;
      await refreshTokens({
        config,
        requestOidcToken: (audience) => Promise.resolve(`renewed for ${audience}`),
        now: () => config.refreshAt,
        sleep: () => {
          renewed = tools.accounts();
          return post(state);
        },
      });

      const client_assertion = 'renewed for api://AzureADTokenExchange';
      expect(renewed).toEqual([{ client_id: clientId, tenant: tenantId, client_assertion }, ...others]);
      expect(lines.join('\n')).not.toContain('encrypts');
    });

    it('says that it is not renewed where the CLI encrypts its accounts', async () => {
      tools.reply({ to: 'login', stdout: subscriptions(first), keeps: false });

      expect((await run(ids())).lines.join('\n')).toContain('The Azure CLI encrypts its accounts here');
    });
  });

  describe('with a client secret', () => {
    it('proves it, passes it on standard input, and hands it out masked', async () => {
      const end = await run(json(), { env: { INPUT_AZURE_CREDENTIALS_JSON: credentials() } });
      const secret = fake.azureApp.clientSecret;

      expect(end.error).toBeUndefined();
      expect(scopes()).toEqual(['https://management.azure.com/.default']);
      expect(tools.calls().at(-1)).toMatchObject({ stdin: secret, expanded: [`--password=${secret}`] });
      const environments = tools.calls().map(({ env }) => env);
      const visible = [tools.commands(), environments, end.state, end.lines, end.summary];
      expect(fake.tokens.leaks(JSON.stringify(visible))).toEqual([]);
      expect(end.masked).toContain(secret);
      expect(end.env).toMatchObject({
        AZURE_CLIENT_ID: fake.azureApp.clientId,
        AZURE_CLIENT_SECRET: secret,
        ARM_CLIENT_SECRET: secret,
        ARM_SUBSCRIPTION_ID: first,
      });
      expect(end.env).not.toHaveProperty('ARM_USE_OIDC');
      expect(end.outputs).toEqual({});
    });

    it('explains a secret that Entra refuses, without it', async () => {
      const end = await run(json({ clientSecret: 'a-wrong-secret' }));

      expect(end).toMatchObject({ error: { reason: 'azure_secret_refused' }, env: {} });
      expect(end.error?.message).toContain('AADSTS7000215');
      expect(end.error?.message).not.toContain('a-wrong-secret');
      expect(tools.calls()).toEqual([]);
    });

    it('hides the secret if the CLI prints it', async () => {
      tools.reply({ to: 'login', stderr: `bad ${String(fake.azureApp.clientSecret)}`, exitCode: 2 });

      expect((await run(json())).error?.message).toContain('(exit code 2): bad ***');
    });
  });

  describe('with a managed identity', () => {
    const managed: Inputs = { azure_managed_identity: 'true', azure_subscription_id: first };

    it.each([
      ['the machine', {}, '2.91.0', 'login --identity --output'],
      ['a client id', { azure_client_id: second }, '2.69.0', `login --identity --client-id ${second} --output`],
      [
        'a client id and an old CLI',
        { azure_client_id: second },
        '2.68.1',
        `login --identity --username ${second} --output`,
      ],
    ])('signs the CLI in as that of %s', async (_case, inputs, version, command) => {
      tools.reply(
        { to: 'version', stdout: JSON.stringify({ 'azure-cli': version }) },
        { to: 'login', stdout: subscriptions(first) },
      );
      const end = await run({ ...managed, ...inputs });

      expect(end.error).toBeUndefined();
      expect(tools.commands().at(-1)).toContain(command);
      expect(end.env).toMatchObject({ ARM_USE_MSI: 'true', AZURE_SUBSCRIPTION_ID: first });
      expect(fake.requests).toEqual([]);
      await post(end.state);
      expect(tools.commands().at(-1)).toMatch(/^logout --username (?:system|user)AssignedIdentity /);
    });

    it('fails if no tool is installed', async () => {
      const end = await run(managed, { env: { PATH: temporary.file('temp') } });

      expect(end.error?.reason).toBe('azure_cli_missing');
    });
  });

  describe('to a national cloud', () => {
    it.each([
      ['azureusgovernment', 'AzureUSGovernment', 'https://management.usgovcloudapi.net/.default', 'usgovernment'],
      ['AzureChinaCloud', 'AzureChinaCloud', 'https://management.chinacloudapi.cn/.default', 'china'],
      ['AzureGermanCloud', 'AzureGermanCloud', 'https://management.microsoftazure.de/.default', undefined],
      ['AZURECLOUD', 'AzureCloud', 'https://management.azure.com/.default', undefined],
    ])('named %s requests a token for it, and tells the tools', async (given, name, scope, terraform) => {
      const end = await run(ids({ azure_environment: given }));

      expect(end.error).toBeUndefined();
      expect(scopes()).toEqual([scope]);
      expect(tools.commands()[0]).toBe(`cloud set --name ${name}`);
      expect(end.env.ARM_ENVIRONMENT).toBe(terraform);
    });

    it.each([
      ['that has its profile', []],
      ['without it', [{ to: 'cloud register', with: '--profile', exitCode: 2 }]],
    ])('registers Azure Stack with a CLI %s and in PowerShell, which only they sign in to', async (_case, replies) => {
      const stack = {
        azure_environment: 'AzureStack',
        azure_resource_manager_endpoint: 'https://management.local.azurestack.external/',
        azure_authority_host: '',
        azure_powershell: 'true',
      };
      tools.reply(
        { to: 'login', stdout: subscriptions(first) },
        { to: 'cloud unregister', stderr: 'ERROR: not registered', exitCode: 1 },
        ...replies,
      );
      const end = await run(ids(stack));

      expect(end.error).toBeUndefined();
      expect(fake.requests.map(({ service }) => service)).toEqual(['oidc']);
      const register =
        'cloud register --name AzureStack --endpoint-resource-manager https://management.local.azurestack.external --suffix-keyvault-dns .vault.local.azurestack.external --suffix-storage-endpoint local.azurestack.external';
      expect(tools.commands().filter((command) => command.startsWith('cloud '))).toEqual([
        'cloud set --name AzureCloud',
        'cloud unregister --name AzureStack',
        `${register} --profile 2019-03-01-hybrid`,
        ...replies.map(() => register),
        'cloud set --name AzureStack',
      ]);
      expect(JSON.parse(tools.calls().at(-1)?.stdin ?? '')).toMatchObject({
        environment: 'AzureStack',
        endpoint: 'https://management.local.azurestack.external',
      });
    });
  });

  describe('with Azure PowerShell', () => {
    it.each([
      [
        'the OIDC token',
        () => ids(),
        { client: '22222222-2222-4222-8222-222222222222', subscription: first, managed: false },
      ],
      ['a secret', () => json(), { secret: 'example~client~secret~of~an~application~01', managed: false }],
      ['a managed identity', () => ({ azure_managed_identity: 'true', azure_cli: 'false' }), { managed: true }],
    ])('signs it in with %s, which no list of processes shows', async (_case, inputs, given) => {
      const end = await run({ ...inputs(), azure_powershell: 'true', azure_clear_accounts: 'true' });
      const call = tools.calls().at(-1);

      expect(end.error).toBeUndefined();
      expect(call?.tool).toBe('pwsh');
      expect(JSON.parse(call?.stdin ?? '')).toMatchObject({ environment: 'AzureCloud', clear: true, ...given });
      expect(fake.tokens.leaks(JSON.stringify([call?.args, end.lines, end.state]))).toEqual([]);

      expect(await post(end.state)).toContain('The tools of Azure are signed out.');
      expect(tools.calls().at(-1)?.args.join(' ')).toContain('Clear-AzContext -Scope CurrentUser');
    });

    it('fails if it is not installed, and signs the CLI in no more', async () => {
      tools = createFakeAzureTools(temporary.file('az-only'), ['az']);
      const end = await run(ids({ azure_powershell: 'true' }));

      expect(end).toMatchObject({ error: { reason: 'azure_powershell_missing' }, env: {}, outputs: {} });
      expect(tools.calls()).toEqual([]);
    });

    it('signs the CLI out again if it refuses', async () => {
      tools.reply(
        { to: 'login', stdout: subscriptions(first) },
        { to: 'Connect-AzAccount', stderr: 'The module Az.Accounts is not installed.', exitCode: 1 },
      );
      const end = await run(ids({ azure_powershell: 'true' }));

      expect(end.error?.reason).toBe('azure_powershell_failed');
      expect(end.error?.message).toContain('The module Az.Accounts is not installed.');
      expect(tools.accounts()).toEqual([]);
    });
  });
});
