import type {
  FakeAccount,
  FakeAwsRole,
  FakeAwsSession,
  FakeAwsUser,
  FakeAzureApp,
  FakeCloudOptions,
} from './fake-cloud';
import type { FakeClaims } from './fake-types';
import { createFakeSecrets, type FakeSecrets } from './secrets';

/** The keys of a user or a session, which are found by their access key id. */
export interface FakeAwsKeys extends FakeAwsSession {
  readonly secret: string;
  /** `undefined` for the keys of a user. */
  readonly sessionToken: string | undefined;
}

/** The shared state of the services. */
export interface FakeWorld {
  readonly nowSeconds: () => number;
  readonly universe: string;
  readonly issuer: string;
  readonly provider: string;
  readonly allowedAudiences: readonly string[];
  readonly attributeCondition: (claims: FakeClaims) => boolean;
  readonly oidcLifetimeSeconds: number;
  readonly accounts: readonly FakeAccount[];
  readonly delegatedUsers: readonly string[];
  readonly maximumLifetimeSeconds: number;
  readonly buckets: readonly string[];
  readonly awsRoles: readonly FakeAwsRole[];
  readonly awsUser: FakeAwsUser;
  readonly awsKeys: Map<string, FakeAwsKeys>;
  readonly azureApps: readonly FakeAzureApp[];
  readonly requestToken: string;
  readonly secrets: FakeSecrets;
  claims: FakeClaims;
}

const exampleAccount = (name: string, uniqueId: string, impersonators: readonly string[]): FakeAccount => {
  const email = `${name}@example-project.iam.gserviceaccount.com`;
  // Every account can impersonate itself, which token outputs with a key require.
  return { email, uniqueId, impersonators: [email, ...impersonators] };
};

/** A delegation chain: jobs can impersonate the first account, the first the second, the second the third. */
const exampleAccounts: readonly FakeAccount[] = [
  exampleAccount('deployer', '100000000000000000001', ['federation']),
  exampleAccount('middle', '100000000000000000002', ['deployer@example-project.iam.gserviceaccount.com', 'federation']),
  exampleAccount('target', '100000000000000000003', ['middle@example-project.iam.gserviceaccount.com']),
];

const exampleAwsRole: FakeAwsRole = {
  arn: 'arn:aws:iam::123456789012:role/deployer',
  audience: 'sts.amazonaws.com',
  subject: /^repo:example-org\/example-repo:/,
  maximumSessionSeconds: 3600,
  callers: /:user\/ci$/,
};

/** A role of another account, which only the first role can assume. */
const exampleAwsTarget: FakeAwsRole = {
  arn: 'arn:aws:iam::210987654321:role/target',
  audience: 'none',
  subject: /^$/,
  maximumSessionSeconds: 43_200,
  callers: /:assumed-role\/deployer\//,
};

const exampleAwsUser: FakeAwsUser = {
  arn: 'arn:aws:iam::123456789012:user/ci',
  accessKeyId: 'AKIAEXAMPLEEXAMPLE01',
  secretAccessKey: 'example/secret/access/key/of/a/user/0001',
};

const exampleAzureApp: FakeAzureApp = {
  tenantId: '11111111-1111-4111-8111-111111111111',
  clientId: '22222222-2222-4222-8222-222222222222',
  audience: 'api://AzureADTokenExchange',
  subject: 'repo:example-org/example-repo:ref:refs/heads/main',
  clientSecret: 'example~client~secret~of~an~application~01',
};

export function createFakeWorld(options: FakeCloudOptions): FakeWorld {
  const now = options.now ?? Date.now;
  const provider =
    options.provider ?? 'projects/123456789012/locations/global/workloadIdentityPools/ci-pool/providers/ci-provider';
  const secrets = createFakeSecrets();
  const awsUser = options.awsUser ?? exampleAwsUser;
  secrets.add('aws secret key', awsUser.secretAccessKey);
  const azureApps = options.azureApps ?? [exampleAzureApp];
  for (const { clientSecret } of azureApps) {
    if (clientSecret !== undefined) secrets.add('azure client secret', clientSecret);
  }
  return {
    nowSeconds: () => Math.floor(now() / 1000),
    universe: options.universe ?? 'googleapis.com',
    issuer: options.issuer ?? 'https://token.actions.githubusercontent.com',
    provider,
    allowedAudiences: options.allowedAudiences ?? [
      `https://iam.googleapis.com/${provider}`,
      `//iam.googleapis.com/${provider}`,
    ],
    attributeCondition: options.attributeCondition ?? (() => true),
    oidcLifetimeSeconds: options.oidcLifetimeSeconds ?? 300,
    accounts: options.accounts ?? exampleAccounts,
    delegatedUsers: options.delegatedUsers ?? ['user@example.com'],
    maximumLifetimeSeconds: options.maximumLifetimeSeconds ?? 3600,
    buckets: options.buckets ?? ['example-bucket'],
    awsRoles: options.awsRoles ?? [exampleAwsRole, exampleAwsTarget],
    awsUser,
    awsKeys: new Map([[awsUser.accessKeyId, toKeys(awsUser)]]),
    azureApps,
    secrets,
    requestToken: secrets.issue('request token', { principal: 'job', scopes: [], expiresAtSeconds: Infinity }).secret,
    claims: options.claims ?? {},
  };
}

function toKeys({ arn, accessKeyId, secretAccessKey }: FakeAwsUser): FakeAwsKeys {
  return {
    accessKeyId,
    secret: secretAccessKey,
    sessionToken: undefined,
    principal: arn,
    expiresAtSeconds: Infinity,
    inlinePolicy: undefined,
    managedPolicies: [],
    tags: {},
    transitiveTags: [],
  };
}

/** Finds an account by email or unique id. */
export function findAccount(world: FakeWorld, name: string): FakeAccount | undefined {
  return world.accounts.find(({ email, uniqueId }) => email === name || uniqueId === name);
}
