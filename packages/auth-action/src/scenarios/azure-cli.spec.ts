import { readdirSync, writeFileSync } from 'node:fs';
import { refreshTokens, type RefreshConfig } from '../publish/clouds/refresh-tokens';
import { first, second, subscriptions, useAzureJob } from './testing/azure-job';
import { federated } from './testing/run-in-process';

const { fake, tools, temporary, ids, run, post } = useAzureJob();

describe('the Azure CLI', () => {
  it('signs it in with the token file, which no list of processes shows, and out in post', async () => {
    const end = await run(ids({ azure_audience: 'api://AzureADTokenExchange' }));

    expect(end.error).toBeUndefined();
    expect(tools().commands()).toEqual([
      'cloud set --name AzureCloud',
      `login --service-principal --username ${fake().azureApp.clientId} --tenant ${fake().azureApp.tenantId} --federated-token=@${temporary().file('temp', 'gha-tokens-a5a5a5a5a5a5a5a5', 'azure')} --output json --only-show-errors`,
    ]);
    expect(tools().accounts()).toEqual([
      {
        client_id: fake().azureApp.clientId,
        tenant: fake().azureApp.tenantId,
        client_assertion: fake().tokens.ofKind('oidc token')[0]?.secret,
      },
    ]);
    const environments = tools()
      .calls()
      .map(({ env }) => env);
    expect(fake().tokens.leaks(JSON.stringify([tools().commands(), environments, end.state, end.lines]))).toEqual([]);
    expect(end.lines).toContain('info Signed the Azure CLI in to AzureCloud.');

    expect(await post(end)).toContain('The tools of Azure are signed out.');
    expect(tools().commands().at(-1)).toBe(`logout --username ${fake().azureApp.clientId} --only-show-errors`);
    expect(tools().accounts()).toEqual([]);
  });

  it('remains signed in after the job on request', async () => {
    const end = await run(ids({ azure_sign_out: 'false' }));
    await post(end);

    expect(tools().accounts()).toHaveLength(1);
  });

  it('removes the accounts of earlier sign-ins on request', async () => {
    await run(ids({ azure_clear_accounts: 'true' }));

    expect(tools().commands()[0]).toBe('account clear');
  });

  it('chooses the subscription, and compares the others', async () => {
    expect((await run(ids({ azure_subscription_id: `${second}\n${first}` }))).env).toMatchObject({
      AZURE_SUBSCRIPTION_ID: second,
      ARM_SUBSCRIPTION_ID: second,
    });
    expect(tools().commands().at(-1)).toBe(`account set --subscription ${second}`);
  });

  it('fails without access to a subscription, and leaves nothing behind', async () => {
    const other = '55555555-5555-4555-8555-555555555555';
    const end = await run(ids({ azure_subscription_id: `${first}, ${other}` }));

    expect(end).toMatchObject({ error: { reason: 'azure_subscription_missing' }, outputs: {}, env: {} });
    expect(end.error?.message).toContain(other);
    expect(tools().accounts()).toEqual([]);
    expect(readdirSync(temporary().file('temp'))).toEqual([]);
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
    tools().reply({ to: 'login', stdout });
    const end = await run(ids({ azure_subscription_id: '' }));

    expect(end.error).toBeUndefined();
    expect(tools().commands().at(-1)).toContain(' --allow-no-subscriptions ');
    expect(end.lines.filter((line) => line.startsWith('warning'))).toEqual(warnings);
    expect(end.env).not.toHaveProperty('AZURE_SUBSCRIPTION_ID');
  });

  it.each([
    ['auto', 'azure_cli', undefined],
    ['true', 'azure_cli', 'azure_cli_missing'],
  ])('says that it is not installed, with %s', async (choice, input, reason) => {
    const end = await run(ids({ [input]: choice }), { env: { PATH: temporary().file('temp') } });

    expect(end.error?.reason).toBe(reason);
    const said = [...end.lines, end.error?.message].join('\n');
    expect(said).toContain('there is no az on PATH');
  });

  it('is not started with azure_cli: false, nor by a check', async () => {
    await run(ids({ azure_cli: 'false' }));
    await run(ids({ check: 'true' }));

    expect(tools().calls()).toEqual([]);
  });

  it.each([
    [
      'login',
      'ERROR: No subscriptions found.',
      'az login --service-principal failed (exit code 1): ERROR: No subscriptions',
    ],
    ['cloud set', 'ERROR: unknown cloud', 'az cloud set failed (exit code 1): ERROR: unknown cloud'],
  ])('hands nothing out if az %s fails, and quotes it', async (to, stderr, message) => {
    tools().reply({ to, stderr, exitCode: 1 });
    const end = await run({ ...ids(), ...federated(fake()) });

    expect(end).toMatchObject({ error: { reason: 'azure_cli_failed' }, outputs: {}, env: {}, files: [] });
    expect(end.error?.message).toContain(message);
    expect(readdirSync(temporary().file('temp'))).toEqual([]);
  });

  it('is ended if it prints without end', async () => {
    tools().reply({ to: 'login', stdout: 'x'.repeat(9 * 1_048_576) });

    expect((await run(ids())).error?.message).toContain('az login --service-principal was ended');
  });

  it('is signed out again if a later part of the step fails', async () => {
    const setOutput = (): void => {
      throw new Error('ENOSPC');
    };
    await expect(run(ids(), { runtime: { setOutput } })).rejects.toThrow('ENOSPC');

    expect(tools().commands().at(-1)).toMatch(/^logout /);
    expect(tools().accounts()).toEqual([]);
  });

  it('makes post warn if it cannot be signed out', async () => {
    const { state } = await run(ids());
    tools().reply({ to: 'logout', stderr: 'ERROR: locked', exitCode: 1 });

    expect(await post({ state })).toContain(
      '::warning::Azure CLI is still signed in: az logout failed (exit code 1): ERROR: locked',
    );
  });

  it.each(['{"account":"--debug","powershell":false}', '{"account":"a"}', '[]'])(
    'is not signed out by a state that main did not write: %s',
    async (weir_azure) => {
      expect(await post({ state: { weir_azure } })).toContain('::warning::The saved state of the main step is invalid');
      expect(tools().calls()).toEqual([]);
    },
  );

  it('gets each renewed token, and the accounts of others stay', async () => {
    const configs: RefreshConfig[] = [];
    const startRefresher = (config: RefreshConfig): Promise<void> => Promise.resolve(void configs.push(config));
    const { state, lines } = await run(ids(), { runOptions: { startRefresher } });
    const [config] = configs;
    if (config === undefined) throw new Error('The renewal was not started.');
    const { clientId, tenantId } = fake().azureApp;
    const others = [
      { client_id: 'other', tenant: tenantId, client_assertion: 'kept' },
      { client_id: clientId, tenant: 'other', client_secret: 'kept' },
    ];
    writeFileSync(tools().accountsFile, JSON.stringify([...tools().accounts(), ...others]));
    let renewed: unknown;
    await refreshTokens({
      config,
      requestOidcToken: (audience) => Promise.resolve(`renewed for ${audience}`),
      now: () => config.refreshAt,
      sleep: () => {
        renewed = tools().accounts();
        return post({ state });
      },
    });

    const client_assertion = 'renewed for api://AzureADTokenExchange';
    expect(renewed).toEqual([{ client_id: clientId, tenant: tenantId, client_assertion }, ...others]);
    expect(lines.join('\n')).not.toContain('encrypts');
  });

  it('says that it is not renewed where the CLI encrypts its accounts', async () => {
    tools().reply({ to: 'login', stdout: subscriptions(first), keeps: false });

    expect((await run(ids())).lines.join('\n')).toContain('The Azure CLI encrypts its accounts here');
  });
});
