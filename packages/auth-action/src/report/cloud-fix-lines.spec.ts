import { AppError } from '@weir/foundation';
import { listCloudFixes } from './cloud-fix-lines';

const aws = { roles: ['arn:aws:iam::123456789012:role/ci/deployer'], audience: 'sts.amazonaws.com' };
const azure = {
  tenantId: 't',
  clientId: 'c',
  credential: { kind: 'federated', audience: 'api://AzureADTokenExchange' },
};
const claims = { iss: 'https://token.actions.githubusercontent.com', sub: 'repo:o/r:ref:refs/heads/main' };
const fixes = (reason: string, given: object = claims, clouds: object | 'none' = { aws, azure }) =>
  listCloudFixes(
    new AppError('forbidden', 'No.', { reason }),
    clouds === 'none' ? undefined : (clouds as Parameters<typeof listCloudFixes>[1]),
    given as Parameters<typeof listCloudFixes>[2],
  );

describe('listCloudFixes', () => {
  it('lets the role trust the token, with the subject and the audience', () => {
    const [cli, terraform] = fixes('aws_refused');
    const [, policy = ''] = /'(.*)'/.exec(cli?.lines.at(-1) ?? '') ?? [];

    expect(JSON.parse(policy)).toMatchObject({
      Statement: [
        {
          Principal: {
            Federated: 'arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com',
          },
          Condition: {
            StringEquals: {
              'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
              'token.actions.githubusercontent.com:sub': claims.sub,
            },
          },
        },
      ],
    });
    expect(terraform?.lines).toContain('  name               = "deployer"');
  });

  it('adds a federated credential to the application', () => {
    const [cli, terraform] = fixes('azure_refused');
    const [, parameters = ''] = /'(.*)'/.exec(cli?.lines.at(-1) ?? '') ?? [];

    expect(JSON.parse(parameters)).toEqual({
      name: 'ci',
      issuer: claims.iss,
      subject: claims.sub,
      audiences: ['api://AzureADTokenExchange'],
    });
    expect(terraform?.lines).toContain('  subject        = "repo:o/r:ref:refs/heads/main"');
  });

  it('uses placeholders for unknown values', () => {
    expect(fixes('azure_refused', {})[0]?.lines.join('\n')).toContain('"issuer":"<issuer>","subject":"<subject>"');
    expect(fixes('aws_refused', {}, { aws: { ...aws, roleArn: 'x' } })[0]?.lines.join('\n')).toContain('<issuer>');
  });

  it.each([
    ['other failures', 'sts_refused', { aws, azure }],
    ['a cloud that is not used', 'azure_refused', { aws }],
    ['no settings', 'aws_refused', 'none' as const],
  ])('is empty for %s', (_, reason, clouds) => {
    expect(fixes(reason, claims, clouds)).toEqual([]);
  });
});
