import { projectNumber, type GcloudCall } from './gcloud-calls';

/** The resources that the commands of the page, or its Terraform files, create. */
export interface CloudSetup {
  readonly pool: string;
  readonly provider: string;
  readonly issuer: string;
  readonly mapping: Readonly<Record<string, string>>;
  readonly condition: string;
  readonly account: string;
  readonly role: string;
  readonly member: string;
}

/** The set-up that commands create. Each is found by its words. */
export function setupByGcloud(calls: readonly GcloudCall[]): CloudSetup {
  const find = (...words: readonly string[]): { readonly name: string; readonly flags: GcloudCall['flags'] } => {
    const call = calls.find((each) => words.every((word, at) => each.words[at] === word));
    if (call?.words.length !== words.length + 1) throw new Error(`No command creates ${words.join(' ')}.`);
    return { name: call.words.at(-1) ?? '', flags: call.flags };
  };
  const pool = find('iam', 'workload-identity-pools', 'create');
  const provider = find('iam', 'workload-identity-pools', 'providers', 'create-oidc');
  const binding = find('iam', 'service-accounts', 'add-iam-policy-binding');
  const account = find('iam', 'service-accounts', 'create');
  const email = `${account.name}@${account.flags.project ?? ''}.iam.gserviceaccount.com`;
  if (binding.name !== email) throw new Error(`The binding is on ${binding.name}, and the account is ${email}.`);
  const poolName = `projects/${projectNumber}/locations/${pool.flags.location ?? ''}/workloadIdentityPools/${pool.name}`;
  if (provider.flags['workload-identity-pool'] !== pool.name) throw new Error('The provider is in another pool.');
  const mapping = (provider.flags['attribute-mapping'] ?? '').split(',').map((pair) => pair.split('=', 2));
  return {
    pool: poolName,
    provider: `${poolName}/providers/${provider.name}`,
    issuer: provider.flags['issuer-uri'] ?? '',
    mapping: Object.fromEntries(mapping) as CloudSetup['mapping'],
    condition: provider.flags['attribute-condition'] ?? '',
    account: email,
    role: binding.flags.role ?? '',
    member: binding.flags.member ?? '',
  };
}

/** The set-up that Terraform creates. It reads only texts, maps and references to created resources. */
export function setupByTerraform(text: string): CloudSetup {
  const block = (head: string): string => {
    const start = text.indexOf(`${head} {\n`);
    if (start < 0) throw new Error(`There is no ${head}.`);
    return text.slice(start, text.indexOf('\n}\n', start));
  };
  const variables = Object.fromEntries(
    [...text.matchAll(/^variable "(\w+)" \{[^}]*default = "([^"]*)"/gm)].map(([, name = '', value = '']) => [
      `var.${name}`,
      value,
    ]),
  );
  const read = (body: string, name: string, values: Readonly<Record<string, string>>): string => {
    const [, quoted, reference] = new RegExp(`^ +${name} += (?:"(.*)"|([\\w.]+))$`, 'm').exec(body) ?? [];
    const resolve = (key: string): string => {
      const value = values[key];
      if (value === undefined) throw new Error(`${name} refers to ${key}, which is not known here.`);
      return value;
    };
    if (reference !== undefined) return resolve(reference);
    return (quoted ?? '').replaceAll(/\$\{([^}]*)\}/g, (_, key: string) => resolve(key));
  };
  const poolId = read(
    block('resource "google_iam_workload_identity_pool" "ci"'),
    'workload_identity_pool_id',
    variables,
  );
  const pool = `projects/${projectNumber}/locations/global/workloadIdentityPools/${poolId}`;
  const account = block('resource "google_service_account" "deployer"');
  const project = read(account, 'project', variables);
  const email = `${read(account, 'account_id', variables)}@${project}.iam.gserviceaccount.com`;
  const values = {
    ...variables,
    'google_iam_workload_identity_pool.ci.workload_identity_pool_id': poolId,
    'google_iam_workload_identity_pool.ci.name': pool,
    'google_service_account.deployer.name': `projects/${project}/serviceAccounts/${email}`,
  };
  const provider = block('resource "google_iam_workload_identity_pool_provider" "github"');
  const binding = block('resource "google_service_account_iam_member" "ci"');
  if (read(provider, 'workload_identity_pool_id', values) !== poolId)
    throw new Error('The provider is in another pool.');
  return {
    pool,
    provider: `${pool}/providers/${read(provider, 'workload_identity_pool_provider_id', values)}`,
    issuer: read(provider, 'issuer_uri', values),
    mapping: Object.fromEntries(
      [...provider.matchAll(/^ +"([\w.]+)" += "(.*)"$/gm)].map(([, name = '', claim = '']) => [name, claim]),
    ),
    condition: read(provider, 'attribute_condition', values),
    account: read(binding, 'service_account_id', values).split('/').at(-1) ?? '',
    role: read(binding, 'role', values),
    member: read(binding, 'member', values),
  };
}
