import { mkdirSync } from 'node:fs';
import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { createFakeAzureTools, type FakeAzureTools } from './fake-azure-tools';
import { postAfter, runInProcess, type InProcessOptions, type InProcessRun, type Inputs } from './run-in-process';

/** Subscriptions of the fake tools. */
export const first = '33333333-3333-4333-8333-333333333333';
export const second = '44444444-4444-4444-8444-444444444444';

/** What `az login` prints. */
export function subscriptions(...ids: readonly string[]): string {
  return JSON.stringify(ids.map((id, index) => ({ id, tenantId: '1', isDefault: index === 0 })));
}

/** A job that signs in to Azure, with fakes of its tools. The cloud and the folder are removed after each case. */
export interface AzureJob {
  readonly fake: () => FakeCloud;
  readonly tools: () => FakeAzureTools;
  readonly temporary: () => TemporaryFolder;
  /** The inputs with the ids of the application. */
  readonly ids: (inputs?: Inputs) => Inputs;
  /** The inputs with the client secret of the application, in JSON. */
  readonly json: (changes?: Readonly<Record<string, unknown>>) => Inputs;
  readonly run: (inputs: Inputs, options?: Partial<InProcessOptions>) => Promise<InProcessRun>;
  readonly post: (end: Pick<InProcessRun, 'state'>) => Promise<string>;
  /** The scopes of the tokens that Entra has issued. */
  readonly scopes: () => readonly string[];
}

export function useAzureJob(): AzureJob {
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
  return {
    fake: () => fake,
    tools: () => tools,
    temporary: () => temporary,
    ids: (inputs = {}) => ({
      azure_tenant_id: fake.azureApp.tenantId,
      azure_client_id: fake.azureApp.clientId,
      azure_subscription_id: first,
      azure_authority_host: fake.bases.azure,
      ...inputs,
    }),
    json: (changes = {}) => ({
      azure_credentials_json: JSON.stringify({
        clientId: fake.azureApp.clientId,
        clientSecret: fake.azureApp.clientSecret,
        tenantId: fake.azureApp.tenantId,
        subscriptionId: first,
        activeDirectoryEndpointUrl: 'https://login.microsoftonline.com',
        resourceManagerEndpointUrl: 'https://management.azure.com/',
        ...changes,
      }),
      azure_authority_host: fake.bases.azure,
    }),
    run: (inputs, options = {}) =>
      runInProcess(fake, {
        inputs,
        ...options,
        env: { RUNNER_TEMP: temporary.file('temp'), ...tools.env, ...options.env },
      }),
    post: (end) => postAfter(end, tools.env),
    scopes: () => fake.tokens.ofKind('azure token').flatMap((token) => token.scopes),
  };
}
