import type { ActionsRuntime } from '../runner/actions-runtime';
import { parseAccessKeyId, parseSecret } from './aws-texts';
import type { AwsKeys } from './cloud-settings';
import type { InputReader } from './input-reader';
import { invalidInput } from './parsed-input';

type Runtime = Pick<ActionsRuntime, 'env' | 'mask'>;

/** The keys of the inputs, or with `aws_role_chaining` those of the environment. `undefined` without any. */
export function readAwsKeys(reader: InputReader, runtime: Runtime, isChaining: boolean): AwsKeys | undefined {
  const parts = ['aws_access_key_id', 'aws_secret_access_key', 'aws_session_token'] as const;
  for (const name of parts) runtime.mask(reader.text(name) ?? '');
  const accessKeyId = reader.readOptional('aws_access_key_id', parseAccessKeyId);
  const secretAccessKey = reader.readOptional('aws_secret_access_key', parseSecret);
  const sessionToken = reader.readOptional('aws_session_token', parseSecret);
  const isAnySet = parts.some((name) => reader.text(name) !== undefined);
  if (isAnySet && isChaining) {
    const message =
      'is true, but there are keys in the inputs. Use the keys of the environment or of the inputs, not both.';
    reader.report('aws_role_chaining', invalidInput('aws_keys_ambiguous', message));
  }
  if (isAnySet) reportIncomplete(reader);
  else if (isChaining) return readChainingKeys(reader, runtime);
  return accessKeyId === undefined || secretAccessKey === undefined
    ? undefined
    : { accessKeyId, secretAccessKey, sessionToken };
}

/** The keys in the environment, masked. `undefined` unless they are complete. */
export function readEnvironmentKeys({ env, mask }: Runtime): AwsKeys | undefined {
  const read = (name: string): string => env[name]?.trim() ?? '';
  const keys = [read('AWS_ACCESS_KEY_ID'), read('AWS_SECRET_ACCESS_KEY'), read('AWS_SESSION_TOKEN')];
  for (const text of keys) mask(text);
  const [accessKeyId = '', secretAccessKey = '', sessionToken = ''] = keys;
  if (accessKeyId === '' || secretAccessKey === '') return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: sessionToken === '' ? undefined : sessionToken };
}

function readChainingKeys(reader: InputReader, runtime: Runtime): AwsKeys | undefined {
  const keys = readEnvironmentKeys(runtime);
  if (keys !== undefined) return keys;
  const message =
    'is true, but AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set. Sign in with aws_session_variables: true in an earlier step, or list the roles in aws_role and aws_chained_roles.';
  reader.report('aws_role_chaining', invalidInput('aws_keys_missing', message));
  return undefined;
}

function reportIncomplete(reader: InputReader): void {
  for (const name of ['aws_access_key_id', 'aws_secret_access_key'] as const) {
    if (reader.text(name) !== undefined) continue;
    const message =
      'has no value, but other inputs for the access key do. Set it; in pull requests of forks, secrets are empty.';
    reader.report(name, invalidInput('aws_keys_missing', message));
  }
}
