import type { JsonObject } from './call';
import type { FakeAwsKeys } from './world';

/** What a caller asks a session to have. */
export interface SessionRequest {
  readonly roleArn: string;
  readonly sessionName: string;
  readonly seconds: number;
  readonly inlinePolicy: string | undefined;
  readonly managedPolicies: readonly string[];
  readonly externalId: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly transitiveTags: readonly string[];
}

/** Throws what `refuse` returns for the first value that AWS would not accept. */
export type Refuse = (message: string) => Error;

const fields =
  /^(?:Action|Version|RoleArn|RoleSessionName|DurationSeconds|Policy|PolicyArns|PolicyArns\.member\.\d+\.arn)$/;
// Clients send an empty list as a field without a number.
const callerFields =
  /^(?:ExternalId|Tags|TransitiveTagKeys|Tags\.member\.\d+\.(?:Key|Value)|TransitiveTagKeys\.member\.\d+)$/;
const tagText = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Reads the fields of AssumeRole and AssumeRoleWithWebIdentity. `caller` is `undefined` for the second. */
export function readSessionRequest(form: JsonObject, caller: FakeAwsKeys | undefined, refuse: Refuse): SessionRequest {
  const assert = (holds: boolean, message: string): void => {
    if (!holds) throw refuse(message);
  };
  for (const name of Object.keys(form)) {
    const isKnown = caller === undefined ? name === 'WebIdentityToken' : callerFields.test(name);
    assert(isKnown || fields.test(name), `Unknown field ${name}.`);
  }
  const sessionName = String(form.RoleSessionName);
  assert(
    /^[\w+=,.@-]{2,64}$/.test(sessionName),
    "Value at 'roleSessionName' failed to satisfy the constraint: [\\w+=,.@-]*",
  );
  const managedPolicies = readList(form, /^PolicyArns\.member\.(\d+)\.arn$/);
  assert(managedPolicies.length <= 10, "Value at 'policyArns' must have length less than or equal to 10");
  const isPolicy = (arn: string): boolean => /^arn:aws:iam::(?:aws|\d{12}):policy\/./.test(arn);
  assert(
    managedPolicies.every((arn) => isPolicy(arn)),
    "Value at 'policyArns' is not the ARN of a policy.",
  );
  const inlinePolicy = readText(form.Policy);
  assert(inlinePolicy === undefined || isPolicyDocument(inlinePolicy), 'This policy contains invalid Json');
  assert((inlinePolicy ?? '').length <= 2048, "Value at 'policy' must have length less than or equal to 2048");
  const keys = readList(form, /^Tags\.member\.(\d+)\.Key$/);
  const values = readList(form, /^Tags\.member\.(\d+)\.Value$/);
  const transitiveTags = readList(form, /^TransitiveTagKeys\.member\.(\d+)$/);
  assert(
    keys.length === values.length && keys.length <= 50,
    "Value at 'tags' must have length less than or equal to 50",
  );
  assert(
    keys.every((key) => key !== '' && key.length <= 128 && tagText.test(key)),
    "Value at 'tags.key' is invalid.",
  );
  assert(
    values.every((value) => value.length <= 256 && tagText.test(value)),
    "Value at 'tags.value' is invalid.",
  );
  assert(new Set(keys.map((key) => key.toLowerCase())).size === keys.length, 'Duplicate tag keys found.');
  assert(
    transitiveTags.every((key) => keys.includes(key)),
    'The specified transitive tag key must be included in the requested tags.',
  );
  const inherited = (caller?.transitiveTags ?? []).map((key) => [key, caller?.tags[key] ?? ''] as const);
  assert(
    !inherited.some(([key]) => keys.includes(key)),
    'A tag conflicts with a transitive tag of the calling session.',
  );
  return {
    roleArn: String(form.RoleArn),
    sessionName,
    seconds: readDuration(form.DurationSeconds, assert),
    inlinePolicy,
    managedPolicies,
    externalId: readText(form.ExternalId),
    tags: Object.fromEntries([...inherited, ...keys.map((key, index) => [key, values[index] ?? ''] as const)]),
    transitiveTags: [...inherited.map(([key]) => key), ...transitiveTags],
  };
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readDuration(text: unknown, assert: (holds: boolean, message: string) => void): number {
  if (text === undefined) return 3600;
  const seconds = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : 0;
  assert(seconds >= 900 && seconds <= 43_200, "Value at 'durationSeconds' must be between 900 and 43200.");
  return seconds;
}

/** The values of a list in the order of their numbers. */
function readList(form: JsonObject, pattern: RegExp): readonly string[] {
  return Object.entries(form)
    .flatMap(([name, value]) => {
      const number = pattern.exec(name)?.[1];
      return number === undefined ? [] : [[Number(number), String(value)] as const];
    })
    .toSorted(([left], [right]) => left - right)
    .map(([, value]) => value);
}

function isPolicyDocument(text: string): boolean {
  try {
    const { Statement } = Object(JSON.parse(text)) as { readonly Statement?: unknown };
    return typeof Statement === 'object';
  } catch {
    return false;
  }
}
