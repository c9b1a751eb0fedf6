import { literalOf, type AuthStep, type Entry } from './auth-steps';
import { awsInputs } from './aws-interface';
import type { Here } from './peer-interface';
import { checkAwsProxy } from './check-aws-proxy';
import { insertBefore, removeEntry, replaceEntry, replaceScalar } from './edits';
import { checkName, toRemark, type Remark } from './remark';

/** Finds the changes in the inputs of a step that uses the action of AWS. */
export function checkAwsInputs(text: string, step: AuthStep): readonly Remark[] {
  const remarks = step.inputs.flatMap((input) => {
    const name = input.name.toLowerCase();
    const known = awsInputs.find((field) => field.name === name);
    if (known?.here.is === 'variable') return [];
    if (onlyForKeys.includes(name) && !isSigned(step)) return checkName(text, { step, input, here: ignoredByPeer });
    return known?.here.is === 'read'
      ? readValue(text, step, input)
      : checkName(text, { step, input, here: known?.here });
  });
  return [...remarks, ...checkAwsProxy(text, step), ...checkSource(step)];
}

/** With the OIDC token the peer ignores them, and this action refuses what has no effect. */
const onlyForKeys = ['role-external-id', 'custom-tags', 'transitive-tag-keys'];
const ignoredByPeer: Here = { is: 'unneeded', why: 'it has no effect on a role that is assumed with the OIDC token' };

function isSigned(step: AuthStep): boolean {
  return ['role-chaining', 'aws-access-key-id'].some((name) => has(step, name));
}

function readValue(text: string, step: AuthStep, input: Entry): readonly Remark[] {
  switch (input.name.toLowerCase()) {
    case 'role-to-assume':
      return checkRole(text, step, input);
    case 'role-skip-session-tagging':
      return [replaceBoolean(text, input, { true: 'aws_job_tags: false', false: undefined })];
    case 'output-env-credentials':
      return [checkVariables(text, step, input)];
    case 'custom-tags':
      return [checkTags(text, input)];
    default:
      return [checkTimeout(text, input)];
  }
}

/** Later steps get the same variables as before; without the added input they would get a token that renews them. */
function checkRole(text: string, step: AuthStep, input: Entry): readonly Remark[] {
  const rename = checkName(text, { step, input, here: { is: 'renamed', to: 'aws_role' } });
  const role = literalOf(input);
  if (role !== undefined && !role.startsWith('arn:') && !isSigned(step)) {
    const message = `write the ARN of the role in \`${input.name}\`: arn:aws:iam::<account>:role/${role}`;
    return [...rename, { offset: offsetOf(input), kind: 'manual', code: 'input_by_hand', message }];
  }
  const hasSession = ['role-chaining', 'aws-access-key-id', 'aws-profile'].some((name) => has(step, name));
  if (hasSession) return rename;
  const message =
    'add `aws_session_variables: true`, so that later steps get the same variables; without it, SDKs renew them';
  const edit = insertBefore(text, input, 'aws_session_variables: true');
  return [...rename, toRemark(edit, { offset: offsetOf(input), code: 'input_added', message })];
}

/** With a profile, the default of the peer is false. */
function checkVariables(text: string, step: AuthStep, input: Entry): Remark {
  if (has(step, 'aws-profile')) {
    return replaceBoolean(text, input, { true: 'aws_session_variables: true', false: undefined });
  }
  return replaceBoolean(text, input, { true: undefined, false: 'export_environment_variables: false' });
}

/** The tags of the peer are a JSON object. */
function checkTags(text: string, input: Entry): Remark {
  const tags = readObject(literalOf(input));
  const lines = tags && Object.entries(tags).map(([key, value]) => `${key}=${String(value)}`);
  const edit = lines && replaceEntry(text, input, `aws_session_tags: ${JSON.stringify(lines.join(', '))}`);
  const message = 'replace `custom-tags` by `aws_session_tags`, with `key=value` instead of JSON';
  return toRemark(edit, { offset: offsetOf(input), code: 'input_replaced', message });
}

/** The longest timeout here is ten minutes. */
function checkTimeout(text: string, input: Entry): Remark {
  const seconds = Number(literalOf(input));
  const offset = offsetOf(input);
  if (seconds === 0) {
    const message = 'remove `action-timeout-s`: requests have a timeout of one minute by default';
    return toRemark(removeEntry(text, input), { offset, code: 'input_unneeded', message });
  }
  if (seconds > 600) {
    return {
      offset,
      kind: 'manual',
      code: 'input_by_hand',
      message: 'replace `action-timeout-s` by `timeout`, at most 10m',
    };
  }
  const edit = replaceScalar(text, input.key, input.name, 'timeout');
  return toRemark(edit, { offset, code: 'input_renamed', message: 'rename `action-timeout-s` to `timeout`' });
}

/** `undefined` for the value that is the default here. */
interface Replacements {
  readonly true: string | undefined;
  readonly false: string | undefined;
}

function replaceBoolean(text: string, input: Entry, replacements: Replacements): Remark {
  const value = literalOf(input)?.toLowerCase();
  const offset = offsetOf(input);
  if (value !== 'true' && value !== 'false') {
    const [wanted = ''] = [replacements.true, replacements.false].filter((each) => each !== undefined);
    const [name = ''] = wanted.split(':');
    const message = `replace \`${input.name}\` by \`${name}\`: \`${wanted}\` is for ${String(wanted === replacements.true)}`;
    return { offset, kind: 'manual', code: 'input_by_hand', message };
  }
  const replacement = replacements[value];
  if (replacement === undefined) {
    const message = `remove \`${input.name}\`: ${value} is the default here`;
    return toRemark(removeEntry(text, input), { offset, code: 'input_unneeded', message });
  }
  const message = `replace \`${input.name}: ${value}\` by \`${replacement}\``;
  return toRemark(replaceEntry(text, input, replacement), { offset, code: 'input_replaced', message });
}

/** The peer searches for credentials in files, containers and instances too. */
function checkSource(step: AuthStep): readonly Remark[] {
  if (['role-to-assume', 'aws-access-key-id'].some((name) => has(step, name))) return [];
  const message =
    'add `aws_use_existing_credentials: true` if credentials are in variables; those of files, containers and instances are not read here';
  return [{ offset: step.uses.range?.[0] ?? 0, kind: 'manual', code: 'credentials_source', message }];
}

function has(step: AuthStep, wanted: string): boolean {
  return step.inputs.some(({ name }) => name.toLowerCase() === wanted);
}

function readObject(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function offsetOf({ key }: Entry): number {
  return key.range?.[0] ?? 0;
}
