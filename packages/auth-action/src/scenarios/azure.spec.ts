import { first, second, subscriptions, useAzureJob } from './testing/azure-job';
import type { Inputs } from './testing/run-in-process';

const { fake, tools, temporary, ids, json, run, post, scopes } = useAzureJob();

describe('a step that signs in to Azure', () => {
  describe('with a client secret', () => {
    it('proves it, passes it on standard input, and hands it out masked', async () => {
      const end = await run(json(), { env: { INPUT_AZURE_CREDENTIALS_JSON: json().azure_credentials_json } });
      const secret = fake().azureApp.clientSecret;

      expect(end.error).toBeUndefined();
      expect(scopes()).toEqual(['https://management.azure.com/.default']);
      expect(tools().calls().at(-1)).toMatchObject({ stdin: secret, expanded: [`--password=${secret}`] });
      const environments = tools()
        .calls()
        .map(({ env }) => env);
      const visible = [tools().commands(), environments, end.state, end.lines, end.summary];
      expect(fake().tokens.leaks(JSON.stringify(visible))).toEqual([]);
      expect(end.masked).toContain(secret);
      expect(end.env).toMatchObject({
        AZURE_CLIENT_ID: fake().azureApp.clientId,
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
      expect(tools().calls()).toEqual([]);
    });

    it('hides the secret if the CLI prints it', async () => {
      tools().reply({ to: 'login', stderr: `bad ${String(fake().azureApp.clientSecret)}`, exitCode: 2 });

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
      tools().reply(
        { to: 'version', stdout: JSON.stringify({ 'azure-cli': version }) },
        { to: 'login', stdout: subscriptions(first) },
      );
      const end = await run({ ...managed, ...inputs });

      expect(end.error).toBeUndefined();
      expect(tools().commands().at(-1)).toContain(command);
      expect(end.env).toMatchObject({ ARM_USE_MSI: 'true', AZURE_SUBSCRIPTION_ID: first });
      expect(fake().requests).toEqual([]);
      await post(end);
      expect(tools().commands().at(-1)).toMatch(/^logout --username (?:system|user)AssignedIdentity /);
    });

    it('fails if no tool is installed', async () => {
      const end = await run(managed, { env: { PATH: temporary().file('temp') } });

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
      expect(tools().commands()[0]).toBe(`cloud set --name ${name}`);
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
      tools().reply(
        { to: 'login', stdout: subscriptions(first) },
        { to: 'cloud unregister', stderr: 'ERROR: not registered', exitCode: 1 },
        ...replies,
      );
      const end = await run(ids(stack));

      expect(end.error).toBeUndefined();
      expect(fake().requests.map(({ service }) => service)).toEqual(['oidc']);
      const register =
        'cloud register --name AzureStack --endpoint-resource-manager https://management.local.azurestack.external --suffix-keyvault-dns .vault.local.azurestack.external --suffix-storage-endpoint local.azurestack.external';
      expect(
        tools()
          .commands()
          .filter((command) => command.startsWith('cloud ')),
      ).toEqual([
        'cloud set --name AzureCloud',
        'cloud unregister --name AzureStack',
        `${register} --profile 2019-03-01-hybrid`,
        ...replies.map(() => register),
        'cloud set --name AzureStack',
      ]);
      expect(JSON.parse(tools().calls().at(-1)?.stdin ?? '')).toMatchObject({
        environment: 'AzureStack',
        endpoint: 'https://management.local.azurestack.external',
      });
    });
  });
});
