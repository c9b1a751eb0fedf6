import { findCommonMistake, findQuotes, findUnexpanded } from './common-mistakes';
import type { AwsTag } from './cloud-settings';
import { invalidInput, validInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';

const maxPolicyLength = 2048;
/** The characters of session tags, and their longest keys and values. */
const tagText = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
const maxTagKeyLength = 128;
const maxTagValueLength = 256;

export function parseRole(text: string): ParsedInput<string> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  if (/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/.test(text)) return validInput(text);
  return invalidInput(
    'aws_role_invalid',
    `is ${quoteInput(text)}, which is not the ARN of a role. Use the form arn:aws:iam::<account>:role/<name>.`,
  );
}

/** An ARN, or the name of a role with its path, which {@link completeRole} completes. */
export function parseRoleOrName(text: string): ParsedInput<string> {
  return isRoleName(text) && findCommonMistake(text) === undefined ? validInput(text) : parseRole(text);
}

export function isRoleName(text: string): boolean {
  return /^[\w+=,.@-][\w+=,.@/-]{0,575}$/.test(text);
}

/** The ARN of a role in the account of the caller. */
export function completeRole(role: string, callerArn: string): string {
  return isRoleName(role) ? `arn:${callerArn.split(':')[1]}:iam::${accountOf(callerArn)}:role/${role}` : role;
}

/** The account in the ARN of a role or of a session. */
export function accountOf(arn: string): string {
  return arn.split(':')[4] ?? '';
}

export function parseRegion(text: string): ParsedInput<string> {
  if (/^[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/.test(text)) return validInput(text);
  return invalidInput('aws_region_invalid', `is ${quoteInput(text)}. Use the name of a region, such as eu-west-1.`);
}

export function parseSessionName(text: string): ParsedInput<string> {
  if (/^[\w+=,.@-]{2,64}$/.test(text)) return validInput(text);
  return invalidInput(
    'aws_session_name_invalid',
    `is ${quoteInput(text)}. Use 2 to 64 letters, digits and characters of _+=,.@-.`,
  );
}

export function parseExternalId(text: string): ParsedInput<string> {
  if (/^[\w+=,.@:/-]{2,1224}$/.test(text)) return validInput(text);
  return invalidInput(
    'aws_external_id_invalid',
    `has ${text.length} characters. Use 2 to 1224 letters, digits and characters of _+=,.@:/-.`,
  );
}

/** The message does not repeat the text, which may be a secret. */
export function parseAccessKeyId(text: string): ParsedInput<string> {
  if (/^\w{16,128}$/.test(text)) return validInput(text);
  return invalidInput(
    'aws_keys_invalid',
    `has ${text.length} characters, but is not the id of an access key: 16 or more letters and digits.`,
  );
}

/** The message does not repeat the text, which is a secret. */
export function parseSecret(text: string): ParsedInput<string> {
  const slip = findQuotes(text) ?? findUnexpanded(text);
  if (slip !== undefined) return slip;
  if (/^[\x21-\x7e]{16,4096}$/.test(text)) return validInput(text);
  return invalidInput(
    'aws_keys_invalid',
    `has ${text.length} characters. Store the value as it is, in one line of 16 or more characters without spaces.`,
  );
}

export function parseInlinePolicy(text: string): ParsedInput<string> {
  const compact = compactJson(text);
  if (compact === undefined) {
    return invalidInput(
      'aws_policy_invalid',
      'is not a JSON object. Use a policy document with Version and Statement.',
    );
  }
  if (compact.length <= maxPolicyLength) return validInput(compact);
  return invalidInput(
    'aws_policy_invalid',
    `has ${compact.length} characters without spaces between them. AWS accepts ${maxPolicyLength}: use aws_managed_policies.`,
  );
}

function compactJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : undefined;
  } catch {
    return undefined;
  }
}

export function parseManagedPolicy(text: string): ParsedInput<string> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  if (/^arn:aws[a-z-]*:iam::(?:aws|\d{12}):policy\/[\w+=,.@/-]{1,576}$/.test(text)) return validInput(text);
  return invalidInput(
    'aws_policy_invalid',
    `is ${quoteInput(text)}, which is not the ARN of a policy. Use the form arn:aws:iam::<account>:policy/<name>.`,
  );
}

export function parseAccount(text: string): ParsedInput<string> {
  if (/^\d{12}$/.test(text)) return validInput(text);
  return invalidInput(
    'aws_account_invalid',
    `is ${quoteInput(text)}. Use the 12 digits of an account, in quotes so that YAML does not convert them.`,
  );
}

/** `Team=web`: the key ends at the first equals sign. */
export function parseTag(text: string): ParsedInput<AwsTag> {
  const slip = findQuotes(text) ?? findUnexpanded(text);
  if (slip !== undefined) return slip;
  const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  const tag = { key: key.trim(), value: value.trim() };
  const isShort = tag.key.length <= maxTagKeyLength && tag.value.length <= maxTagValueLength;
  if (tag.key !== '' && isShort && tagText.test(tag.key + tag.value)) return validInput(tag);
  return invalidInput(
    'aws_tag_invalid',
    `is ${quoteInput(text)}. Use the form key=value, with at most ${maxTagKeyLength} and ${maxTagValueLength} letters, digits, spaces and characters of _.:/=+-@.`,
  );
}

export function parseTagKey(text: string): ParsedInput<string> {
  if (text.length <= maxTagKeyLength && tagText.test(text)) return validInput(text);
  return invalidInput('aws_tag_invalid', `is ${quoteInput(text)}. Use the key of a session tag.`);
}

/** The text with `_` in place of what tags cannot contain, cut to the longest value. */
export function toTagValue(text: string): string {
  return text.replaceAll(/[^\p{L}\p{Z}\p{N}_.:/=+\-@]/gu, '_').slice(0, maxTagValueLength);
}

export function parseProfileName(text: string): ParsedInput<string> {
  if (/^[\w.+=,@:-]{1,128}$/.test(text)) return validInput(text);
  return invalidInput(
    'aws_profile_invalid',
    `is ${quoteInput(text)}. Use at most 128 letters, digits and characters of _.+=,@:-.`,
  );
}

/** A private registry of ECR, or the public one; the password must not be sent to other hosts. */
export function parseAwsRegistry(text: string): ParsedInput<string> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  if (text === 'public.ecr.aws' || privateRegistry.test(text)) return validInput(text);
  return invalidInput(
    'registry_invalid',
    `is ${quoteInput(text)}. Use the host of a registry of AWS without https and path, such as 123456789012.dkr.ecr.eu-west-1.amazonaws.com.`,
  );
}

const privateRegistry = /^\d{12}\.dkr\.ecr(?:-fips)?\.[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2}\.amazonaws\.com(?:\.cn)?$/;
