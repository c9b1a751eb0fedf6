/** A malformed or malicious request, and the expected class of the status. */
export interface HostileRequest {
  /** The defect of the request; unique within a protocol. */
  readonly name: string;
  readonly body: string | Uint8Array;
  /** These are added to content type and key, or replace them. */
  readonly headers: Readonly<Record<string, string>>;
  /** First digit of the status: 4 for what must be rejected, 2 for what only looks malicious. */
  readonly statusClass: 2 | 4;
}

/** The fields of a body as JSON text, which may be invalid. */
export type BodyFields = Readonly<Record<string, string>>;

export function bodyText(fields: BodyFields): string {
  const members = Object.entries(fields).map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{${members.join(',')}}`;
}

export function refused(
  name: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): HostileRequest {
  return { name, body, headers, statusClass: 4 };
}

export function answered(name: string, body: string | Uint8Array): HostileRequest {
  return { name, body, headers: {}, statusClass: 2 };
}

/** One request for each invalid value. */
export function wrongFields(base: BodyFields, wrong: Readonly<Record<string, readonly string[]>>): HostileRequest[] {
  return Object.entries(wrong).flatMap(([field, values]) =>
    values.map((json) => refused(`${field} is ${shorten(json)}`, bodyText({ ...base, [field]: json }))),
  );
}

function shorten(json: string): string {
  return json.length > 80 ? `${json.slice(0, 60)}… (${json.length})` : json;
}
