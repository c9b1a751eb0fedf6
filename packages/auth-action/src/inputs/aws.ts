import type { ActionsRuntime } from '../runner/actions-runtime';
import type { AwsSettings } from './cloud-settings';
import { findCommonMistake } from './common-mistakes';
import { parseEndpoint } from './endpoints';
import type { InputReader } from './input-reader';
import { invalidInput, validInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';
import { parseBoolean } from './switches';
import { parseAudience } from './texts';

const maxSessionNameLength = 64;

/** Returns `undefined` without a role. */
export function readAws(reader: InputReader, env: ActionsRuntime['env']): AwsSettings | undefined {
  const roleArn = reader.readOptional('aws_role', parseRole);
  const region = reader.readOptional('aws_region', parseRegion);
  const audience = reader.read('aws_audience', parseAudience);
  const sessionName = reader.readOptional('aws_role_session_name', parseSessionName) ?? nameSession(env);
  const endpoint = reader.readOptional('aws_sts_endpoint', parseEndpoint);
  const outputsSession = reader.read('aws_session_outputs', parseBoolean);
  if (reader.text('aws_role') === undefined && (region !== undefined || endpoint !== undefined || outputsSession)) {
    reader.report('aws_role', invalidInput('aws_role_missing', 'has no value, but other inputs for AWS do. Set it.'));
  }
  if (roleArn === undefined) return undefined;
  const stsEndpoint = endpoint ?? defaultEndpoint(roleArn, region);
  return { roleArn, region, audience, sessionName, stsEndpoint, isEndpointSet: endpoint !== undefined, outputsSession };
}

function defaultEndpoint(roleArn: string, region: string | undefined): string {
  const domain = roleArn.startsWith('arn:aws-cn:') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return region === undefined ? `https://sts.${domain}` : `https://sts.${region}.${domain}`;
}

/** Names the repository and the run, which the audit logs of AWS show. */
function nameSession({ GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run }: ActionsRuntime['env']): string {
  const name = [repository ?? 'ci', ...(run === undefined ? [] : [run])].join('-').replaceAll(/[^\w+=,.@-]/g, '-');
  return name.slice(-maxSessionNameLength);
}

function parseRole(text: string): ParsedInput<string> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  if (/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/.test(text)) return validInput(text);
  return invalidInput(
    'aws_role_invalid',
    `is ${quoteInput(text)}, which is not the ARN of a role. Use the form arn:aws:iam::<account>:role/<name>.`,
  );
}

function parseRegion(text: string): ParsedInput<string> {
  if (/^[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/.test(text)) return validInput(text);
  return invalidInput('aws_region_invalid', `is ${quoteInput(text)}. Use the name of a region, such as eu-west-1.`);
}

function parseSessionName(text: string): ParsedInput<string> {
  if (/^[\w+=,.@-]{2,64}$/.test(text)) return validInput(text);
  return invalidInput(
    'aws_session_name_invalid',
    `is ${quoteInput(text)}. Use 2 to 64 letters, digits and characters of _+=,.@-.`,
  );
}
