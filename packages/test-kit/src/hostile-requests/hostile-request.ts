/** A request that was made to harm, and how it must be answered. */
export interface HostileRequest {
  /** What is wrong with it; unique among those of one protocol. */
  readonly name: string;
  readonly body: string | Uint8Array;
  /** Beside, or in place of, content type and key. */
  readonly headers: Readonly<Record<string, string>>;
  /** First digit of the status: 4 for what must be refused, 2 for what only looks bad. */
  readonly statusClass: 2 | 4;
}

/** The fields of a body, each as JSON text: what no JSON writer would write can be said too. */
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

/** A request for every value that a field must not have. */
export function wrongFields(base: BodyFields, wrong: Readonly<Record<string, readonly string[]>>): HostileRequest[] {
  return Object.entries(wrong).flatMap(([field, values]) =>
    values.map((json) => refused(`${field} is ${shorten(json)}`, bodyText({ ...base, [field]: json }))),
  );
}

function shorten(json: string): string {
  return json.length > 80 ? `${json.slice(0, 60)}… (${json.length})` : json;
}
