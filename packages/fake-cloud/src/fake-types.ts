export type FakeClaims = Readonly<Record<string, unknown>>;

/** `none` stands for an unknown path. */
export type FakeService =
  | 'oidc'
  | 'jwks'
  | 'sts'
  | 'introspect'
  | 'iam'
  | 'oauth'
  | 'revoke'
  | 'api'
  | 'aws'
  | 'ecr'
  | 'azure'
  | 'azureMetadata'
  | 'none';
