import { writeFile } from 'node:fs/promises';
import { Secret } from '@weir/service-kit';
import { temporaryFolder } from '@weir/test-kit';
import { loadOidcProviders } from './load-oidc-providers';
import { loadConfig } from '../../config';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const own = { WEIR_OIDC_ISSUER: 'https://id.example.com', WEIR_OIDC_CLIENT_ID: 'weir' };

const load = async (text: string, env: Readonly<Record<string, string>> = {}) => {
  await writeFile(folder.file('providers.yaml'), text);
  const variables = {
    WEIR_OIDC_CLIENT_URL: 'https://weir.example.com',
    WEIR_OIDC_PROVIDERS_FILE: folder.file('providers.yaml'),
    ...env,
  };
  return loadOidcProviders(loadConfig(variables, { userHome: '/', workingDirectory: '/' }));
};
const one = (id: string, more = '') =>
  `- { id: ${id}, label: Sign in, issuer: 'https://${id}.example.com', client_id: weir${more} }\n`;

it('reads the providers of the file after the one of the variables', async () => {
  await writeFile(folder.file('secret'), 'from a file\n');
  const providers = await load(
    `
- id: partners
  label: Sign in as a partner
  issuer: https://partners.example.com
  client_id: weir
  client_secret_file: secret
  scopes: [openid, teams]
  groups_claim: teams
  group_mappings: { admins: admin, shop: [developer@shop] }
  role_expression: .roles[]
  default_role: none
  allowed_emails: [Ada@Example.org]
  allowed_domains: [example.com]
  auto_signup: false
  sync_roles: false
  provider_sign_out: false
${one('plain')}`,
    own,
  );

  expect(providers.map(({ id }) => id)).toEqual(['oidc', 'partners', 'plain']);
  expect(providers[1]).toEqual({
    id: 'partners',
    buttonLabel: 'Sign in as a partner',
    issuer: 'https://partners.example.com',
    clientId: 'weir',
    clientSecret: new Secret('from a file'),
    clientUrl: 'https://weir.example.com',
    scopes: ['openid', 'teams'],
    groupsClaim: 'teams',
    roleExpression: '.roles[]',
    signsOutThere: false,
    rules: {
      allowedEmails: ['ada@example.org'],
      allowedDomains: ['example.com'],
      createsUsers: false,
      groupMappings: new Map([
        ['admins', [{ role: 'admin', workspace: undefined }]],
        ['shop', [{ role: 'developer', workspace: 'shop' }]],
      ]),
      defaultRole: undefined,
      syncsRoles: false,
    },
  });
  expect(providers[2]).toMatchObject({ clientSecret: undefined, rules: { defaultRole: 'viewer', createsUsers: true } });
});

it('is not needed: the variables describe one provider', async () => {
  const env = { ...own, WEIR_OIDC_CLIENT_URL: 'https://weir.example.com' };
  const host = { userHome: '/', workingDirectory: '/' };
  await expect(loadOidcProviders(loadConfig(env, host))).resolves.toMatchObject([{ id: 'oidc' }]);
  await expect(loadOidcProviders(loadConfig({}, host))).resolves.toEqual([]);
});

it.each([
  ['no YAML', '[', 'no YAML'],
  ['no list', 'a: 1', 'expected array'],
  ['an unknown key', one('a', ', secret: x'), '0'],
  ['an id of two parts of a path', one('a/b').replace('https://a/b', 'https://a'), '0.id'],
  ['the same id twice', one('a') + one('a'), 'the id a is there twice'],
  ['the id of the variables', one('oidc'), 'the id oidc'],
  [
    'the same issuer twice',
    one('a') + one('b').replace('b.example.com', 'a.example.com/'),
    'issuer https://a.example.com/',
  ],
  ['the issuer of the variables', one('id'), 'issuer https://id.example.com'],
  ['an issuer that others can read', one('a').replace('https', 'http'), '0.issuer'],
  ['no openid', one('a', ', scopes: [email]'), '0.scopes'],
  ['a role that is none', one('a', ', default_role: king'), '0.default_role'],
  ['two secrets', one('a', ', client_secret: x, client_secret_file: y'), '0.client_secret'],
  ['the file of a secret that is missing', one('a', ', client_secret_file: missing'), 'client_secret_file of a'],
  ['very many', Array.from({ length: 21 }, (_, index) => one(`p${index}`)).join(''), ''],
])('refuses %s', async (_, text, problem) => {
  const failure = await load(text, own).catch((error: unknown) => error);
  expect(failure).toMatchObject({ reason: 'oidc_providers_invalid' });
  expect(String(failure)).toContain(problem);
});

it('never quotes a secret', async () => {
  const failure = await load('- client_secret: "the secret', own).catch((error: unknown) => error);
  expect(`${String(failure)}${String((failure as Error).cause)}`).not.toContain('the secret');
});

it('needs the address of this server', () => {
  const env = { WEIR_OIDC_PROVIDERS_FILE: 'providers.yaml' };
  expect(() => loadConfig(env, { userHome: '/', workingDirectory: '/' })).toThrow(
    'WEIR_OIDC_CLIENT_URL is needed with WEIR_OIDC_PROVIDERS_FILE',
  );
});
