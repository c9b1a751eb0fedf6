import { parseJsonObject, toJsonObject, type JsonObject } from '../runner/json-object';

const maxQuote = 300;

/** The error of a service, safe to log: one line, bounded, without secrets. */
export interface ServiceError {
  /** The error code: `invalid_grant`, `PERMISSION_DENIED`. */
  readonly googleReason: string | undefined;
  readonly description: string | undefined;
}

/** Reads OAuth errors and Google API errors; any other body becomes the description. */
export function readServiceError(body: string, secrets: readonly string[]): ServiceError {
  const json = parseJsonObject(body) ?? readXmlError(body) ?? {};
  const error = json.error;
  const status = toJsonObject(error) ?? {};
  const [reason, description] =
    typeof error === 'string'
      ? [error, json.error_description]
      : [findReason(status.details) ?? status.status, status.message ?? json.message];
  return {
    googleReason: quoteText(reason, secrets),
    description: quoteText(description, secrets) ?? (reason === undefined ? quoteText(body, secrets) : undefined),
  };
}

/** AWS answers in XML. */
function readXmlError(body: string): JsonObject | undefined {
  const [, code] = /<Code>([^<]+)<\/Code>/.exec(body) ?? [];
  const [, message] = /<Message>([^<]*)<\/Message>/.exec(body) ?? [];
  return code === undefined ? undefined : { error: code, error_description: message };
}

/** The text as one line of at most 300 characters, with these secrets and anything that looks like a token masked. */
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

function quoteText(value: unknown, secrets: readonly string[]): string | undefined {
  if (typeof value !== 'string') return undefined;
  return quote(value, secrets) || undefined;
}

// `details` of an IAM error contain the specific reason, such as IAM_PERMISSION_DENIED.
function findReason(details: unknown): unknown {
  if (!Array.isArray(details)) return undefined;
  return details.map((detail) => toJsonObject(detail)?.reason).find((reason) => typeof reason === 'string');
}
