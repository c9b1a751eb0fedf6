const maxQuote = 300;

/** What a service says about why it refuses, fit for a log: one line, bounded, without secrets. */
export interface Refusal {
  /** Its word for programs: `invalid_grant`, `PERMISSION_DENIED`. */
  readonly googleReason: string | undefined;
  /** Its sentence for people. */
  readonly description: string | undefined;
}

/** Reads the two kinds of JSON errors that the services use, and quotes anything else as it is. */
export function readRefusal(body: string, secrets: readonly string[]): Refusal {
  const json = parseObject(body);
  const error = json.error;
  const status = objectOf(error);
  const [reason, description] =
    typeof error === 'string'
      ? [error, json.error_description]
      : [reasonOf(status.details) ?? status.status, status.message ?? json.message];
  return {
    googleReason: quoted(reason, secrets),
    description: quoted(description, secrets) ?? (reason === undefined ? quoted(body, secrets) : undefined),
  };
}

/** The text on one line of at most 300 characters, without these secrets and without anything shaped like a token. */
export function quote(text: string, secrets: readonly string[]): string {
  const cleaned = secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
    .replaceAll(/\beyJ[\w-]+(?:\.[\w-]*)*/g, '***')
    .replaceAll(/\bya29\.[\w.-]+/g, '***')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const characters = Array.from(cleaned);
  return characters.length <= maxQuote ? cleaned : `${characters.slice(0, maxQuote).join('')}…`;
}

function quoted(value: unknown, secrets: readonly string[]): string | undefined {
  if (typeof value !== 'string') return undefined;
  return quote(value, secrets) || undefined;
}

// `details` of an IAM error name the narrower reason, such as IAM_PERMISSION_DENIED.
function reasonOf(details: unknown): unknown {
  if (!Array.isArray(details)) return undefined;
  return details.map((detail) => objectOf(detail).reason).find((reason) => typeof reason === 'string');
}

/** The JSON object in the text, or an empty one. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
