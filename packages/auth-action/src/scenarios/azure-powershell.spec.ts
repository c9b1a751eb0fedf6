import { first, subscriptions, useAzureJob } from './testing/azure-job';
import { createFakeAzureTools } from './testing/fake-azure-tools';

const { fake, tools, temporary, ids, json, run, post } = useAzureJob();

describe('Azure PowerShell', () => {
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
    const call = tools().calls().at(-1);

    expect(end.error).toBeUndefined();
    expect(call?.tool).toBe('pwsh');
    expect(JSON.parse(call?.stdin ?? '')).toMatchObject({ environment: 'AzureCloud', clear: true, ...given });
    expect(fake().tokens.leaks(JSON.stringify([call?.args, end.lines, end.state]))).toEqual([]);

    expect(await post(end)).toContain('The tools of Azure are signed out.');
    expect(tools().calls().at(-1)?.args.join(' ')).toContain('Clear-AzContext -Scope CurrentUser');
  });

  it('fails if it is not installed, and signs the CLI in no more', async () => {
    const cli = createFakeAzureTools(temporary().file('az-only'), ['az']);
    const end = await run(ids({ azure_powershell: 'true' }), { env: cli.env });

    expect(end).toMatchObject({ error: { reason: 'azure_powershell_missing' }, env: {}, outputs: {} });
    expect(cli.calls()).toEqual([]);
  });

  it('signs the CLI out again if it refuses', async () => {
    tools().reply(
      { to: 'login', stdout: subscriptions(first) },
      { to: 'Connect-AzAccount', stderr: 'The module Az.Accounts is not installed.', exitCode: 1 },
    );
    const end = await run(ids({ azure_powershell: 'true' }));

    expect(end.error?.reason).toBe('azure_powershell_failed');
    expect(end.error?.message).toContain('The module Az.Accounts is not installed.');
    expect(tools().accounts()).toEqual([]);
  });
});
