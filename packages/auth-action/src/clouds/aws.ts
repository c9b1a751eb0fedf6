import type { ServiceCall } from '../cloud/service-call';
import type { AwsSettings } from '../inputs/cloud-settings';
import type { CloudContext, CloudSignIn } from './cloud-sign-in';

/**
 * Assumes the role with the OIDC token, which proves that later steps can. Clients assume it again with the token file,
 * so that their credentials are renewed for as long as the job runs.
 */
export async function signInToAws(context: CloudContext, settings: AwsSettings): Promise<CloudSignIn> {
  const { roleArn, region, sessionName, audience, stsEndpoint, isEndpointSet, outputsSession } = settings;
  const call = assumeRoleCall(settings, context.oidcToken);
  const { body } = await context.send(call);
  const [keyId, secretKey, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map((name) =>
    readElement(body, name),
  );
  if (keyId === undefined || secretKey === undefined || sessionToken === undefined) {
    throw context.malformed(call, 'has no session credentials');
  }
  context.mask(secretKey);
  context.mask(sessionToken);
  const session = [
    ['aws_access_key_id', keyId],
    ['aws_secret_access_key', secretKey],
    ['aws_session_token', sessionToken],
  ] as const;
  return {
    cloud: 'AWS',
    principal: readElement(body, 'Arn') ?? roleArn,
    fileName: 'aws',
    audience,
    fileOutput: 'aws_web_identity_token_file',
    variables: (tokenFile) => [
      ['AWS_ROLE_ARN', roleArn],
      ['AWS_ROLE_SESSION_NAME', sessionName],
      ['AWS_WEB_IDENTITY_TOKEN_FILE', tokenFile],
      ...(region === undefined
        ? []
        : ([
            ['AWS_REGION', region],
            ['AWS_DEFAULT_REGION', region],
          ] as const)),
      ...(isEndpointSet ? ([['AWS_ENDPOINT_URL_STS', stsEndpoint]] as const) : []),
    ],
    outputs: outputsSession ? session : [],
  };
}

function assumeRoleCall({ roleArn, sessionName, stsEndpoint }: AwsSettings, oidcToken: string): ServiceCall {
  const fields = {
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: sessionName,
    WebIdentityToken: oidcToken,
  };
  return {
    service: 'aws',
    kind: 'AssumeRoleWithWebIdentity',
    method: 'POST',
    url: new URL(`${stsEndpoint}/`),
    // The documented format of the responses is XML.
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/xml' },
    body: new URLSearchParams(fields).toString(),
    secrets: [oidcToken],
  };
}

/** The values are base64 and ARNs, which need no entities. */
function readElement(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<>&\\s]+)</${name}>`).exec(xml)?.[1];
}
