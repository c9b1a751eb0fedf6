import type { ActionsRuntime } from '../runner/actions-runtime';
import {
  parseExternalId,
  parseInlinePolicy,
  parseManagedPolicy,
  parseSessionName,
  parseTag,
  parseTagKey,
} from './aws-texts';
import type { AwsSessionSettings, AwsTag } from './cloud-settings';
import { parseDuration } from './duration';
import type { InputReader } from './input-reader';
import { listJobTags, reservedTagKeys } from './job-tags';
import { parseList, spaceOrComma } from './list';
import { invalidInput } from './parsed-input';
import { parseBoolean } from './switches';

const maxSessionNameLength = 64;
const maxTags = 50;
const maxManagedPolicies = 10;

const roleRange = { minSeconds: 900, maxSeconds: 43_200, maxText: '12h' };
/** AWS gives a session that another session assumed an hour at most, whatever the role allows. */
const chainedRange = {
  minSeconds: 900,
  maxSeconds: 3600,
  maxText: '1h, the limit of roles that are assumed with the session of another role',
};

/** Whether the last role is assumed with the credentials of a session. */
export function readAwsSession(
  reader: InputReader,
  env: ActionsRuntime['env'],
  isChained: boolean,
): AwsSessionSettings {
  const range = isChained ? chainedRange : roleRange;
  const managedPolicies =
    reader.readOptional('aws_managed_policies', (text) => parseList(text, parseManagedPolicy, spaceOrComma)) ?? [];
  if (managedPolicies.length > maxManagedPolicies) {
    const message = `has ${managedPolicies.length} policies. AWS accepts ${maxManagedPolicies} for a session.`;
    reader.report('aws_managed_policies', invalidInput('list_too_long', message));
  }
  return {
    name: reader.readOptional('aws_role_session_name', parseSessionName) ?? nameSession(env),
    durationSeconds: reader.readOptional('aws_role_duration', (text) => parseDuration(text, range)),
    inlinePolicy: reader.readOptional('aws_inline_policy', parseInlinePolicy),
    managedPolicies,
    externalId: reader.readOptional('aws_external_id', parseExternalId),
    ...readTags(reader, env),
  };
}

function readTags(
  reader: InputReader,
  env: ActionsRuntime['env'],
): Pick<AwsSessionSettings, 'tags' | 'transitiveTags'> {
  const isMarked = reader.read('aws_job_tags', parseBoolean);
  const given = reader.readOptional('aws_session_tags', (text) => parseList(text, parseTag)) ?? [];
  const tags = isMarked ? listJobTags(env, given) : given;
  const transitiveTags = reader.readOptional('aws_transitive_tags', (text) => parseList(text, parseTagKey)) ?? [];
  const refuse = (input: string, message: string): void =>
    reader.report(input, invalidInput('aws_tag_invalid', message));
  const keys = given.map(({ key }) => key);
  const repeated = keys.find((key, index) => keys.indexOf(key) !== index);
  const reserved = isMarked ? keys.find((key) => reservedTagKeys.includes(key)) : undefined;
  if (repeated !== undefined) refuse('aws_session_tags', `has the key ${repeated} twice. Use each key once.`);
  if (reserved !== undefined) {
    refuse(
      'aws_session_tags',
      `has the key ${reserved}, which aws_job_tags sets. Use another key, or aws_job_tags: false.`,
    );
  }
  if (tags.length > maxTags)
    refuse('aws_session_tags', `gives the session ${tags.length} tags. AWS accepts ${maxTags}.`);
  const unknown = transitiveTags.find((key) => !isKeyOf(tags, key));
  if (unknown !== undefined) {
    refuse('aws_transitive_tags', `has the key ${unknown}, but the session has no such tag. Use keys of its tags.`);
  }
  return { tags, transitiveTags };
}

function isKeyOf(tags: readonly AwsTag[], key: string): boolean {
  return tags.some((tag) => tag.key === key);
}

/** Names the repository and the run, which the audit logs of AWS show. */
function nameSession({ GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run }: ActionsRuntime['env']): string {
  const name = [repository ?? 'ci', ...(run === undefined ? [] : [run])].join('-').replaceAll(/[^\w+=,.@-]/g, '-');
  return name.slice(-maxSessionNameLength);
}
