import type { ServiceCall, ServiceResponse } from '../cloud/service-call';
import type { AwsKeys, AwsSessionSettings, AwsSettings } from '../inputs/cloud-settings';
import { signRequest } from './aws-signature';
import type { CloudContext } from './cloud-sign-in';

/** Credentials, and whom they belong to. */
export interface AwsSession {
  readonly keys: AwsKeys;
  /** The ARN of the session or user. */
  readonly arn: string;
  /** RFC 3339; `undefined` for keys that were given. */
  readonly expiration: string | undefined;
}

/** The Security Token Service, whose requests are forms and whose documented responses are XML. */
export interface AwsSts {
  readonly assumeWithToken: (role: string, session: AwsSessionSettings, oidcToken: string) => Promise<AwsSession>;
  readonly assume: (role: string, session: AwsSessionSettings, keys: AwsKeys) => Promise<AwsSession>;
  readonly nameCaller: (keys: AwsKeys) => Promise<AwsSession>;
}

type Context = Pick<CloudContext, 'send' | 'mask' | 'malformed' | 'now'>;
type Fields = readonly (readonly [name: string, value: string | undefined])[];

export function createAwsSts(context: Context, settings: Pick<AwsSettings, 'stsEndpoint' | 'region'>): AwsSts {
  const url = new URL(`${settings.stsEndpoint}/`);
  // The global endpoint belongs to this region.
  const region = settings.region ?? (url.hostname.endsWith('.cn') ? 'cn-north-1' : 'us-east-1');
  const call = (action: string, fields: Fields): ServiceCall & { readonly body: string } => {
    const given = fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]));
    return {
      service: 'aws',
      kind: action,
      method: 'POST',
      url,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/xml' },
      body: new URLSearchParams([['Action', action], ['Version', '2011-06-15'], ...given]).toString(),
      secrets: [],
      isTransient,
    };
  };
  const sign = (unsigned: ServiceCall & { readonly body: string }, keys: AwsKeys): ServiceCall => ({
    ...unsigned,
    service: 'aws_call',
    headers: signRequest(unsigned, { keys, region, service: 'sts', now: context.now() }),
    secrets: [keys.secretAccessKey, keys.sessionToken ?? ''],
  });
  const open = async (request: ServiceCall, role: string): Promise<AwsSession> =>
    readSession(context, request, { role, body: (await context.send(request)).body });
  return {
    assumeWithToken: (role, session, oidcToken) => {
      const fields: Fields = [...sessionFields(role, session), ['WebIdentityToken', oidcToken]];
      return open({ ...call('AssumeRoleWithWebIdentity', fields), secrets: [oidcToken] }, role);
    },
    assume: (role, session, keys) => {
      const fields = [...sessionFields(role, session), ...tagFields(session)];
      return open(sign(call('AssumeRole', fields), keys), role);
    },
    nameCaller: async (keys) => {
      const request = sign(call('GetCallerIdentity', []), keys);
      const arn = readElement((await context.send(request)).body, 'Arn');
      if (arn === undefined) throw context.malformed(request, 'has no ARN');
      return { keys, arn, expiration: undefined };
    },
  };
}

function sessionFields(role: string, session: AwsSessionSettings): Fields {
  const { name, durationSeconds, inlinePolicy, managedPolicies } = session;
  return [
    ['RoleArn', role],
    ['RoleSessionName', name],
    ['DurationSeconds', durationSeconds?.toString()],
    ['Policy', inlinePolicy],
    ...managedPolicies.map((arn, index) => [`PolicyArns.member.${index + 1}.arn`, arn] as const),
  ];
}

function tagFields({ externalId, tags, transitiveTags }: AwsSessionSettings): Fields {
  return [
    ['ExternalId', externalId],
    ...tags.flatMap(
      ({ key, value }, index) =>
        [
          [`Tags.member.${index + 1}.Key`, key],
          [`Tags.member.${index + 1}.Value`, value],
        ] as const,
    ),
    ...transitiveTags.map((key, index) => [`TransitiveTagKeys.member.${index + 1}`, key] as const),
  ];
}

function readSession(
  context: Context,
  request: ServiceCall,
  { role, body }: { readonly role: string; readonly body: string },
): AwsSession {
  const names = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'];
  const [accessKeyId, secretAccessKey, sessionToken] = names.map((name) => readElement(body, name));
  if (accessKeyId === undefined || secretAccessKey === undefined || sessionToken === undefined) {
    throw context.malformed(request, 'has no session credentials');
  }
  for (const text of [accessKeyId, secretAccessKey, sessionToken]) context.mask(text);
  return {
    keys: { accessKeyId, secretAccessKey, sessionToken },
    arn: readElement(body, 'Arn') ?? role,
    expiration: readElement(body, 'Expiration'),
  };
}

/** The service limits its load with this status too, and reports that it did not reach the issuer of the token. */
function isTransient({ status, body }: ServiceResponse): boolean {
  return status === 400 && /<Code>(?:Throttling|RequestLimitExceeded|IDPCommunicationError)/.test(body);
}

/** The values are base64, times and ARNs, which need no entities. */
function readElement(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<>&\\s]+)</${name}>`).exec(xml)?.[1];
}
