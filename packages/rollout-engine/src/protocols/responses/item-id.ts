/** The id of an item has its kind, the response and its number within the response: `msg_<response>_0`. */
export type ItemKind = 'reasoning' | 'message' | 'function_call';

const prefixes = { reasoning: 'rs', message: 'msg', function_call: 'fc' } as const;
const kinds = { rs: 'reasoning', msg: 'message', fc: 'function_call' } as const;
const responsePrefix = 'resp_';
const form = /^(rs|msg|fc)_(.{1,200})_(\d{1,6})$/;

/** `number` counts the items of that kind in the answer. */
export function itemId(responseId: string, kind: ItemKind, number: number): string {
  return `${prefixes[kind]}_${responseId.replace(responsePrefix, '')}_${number}`;
}

export interface NamedItem {
  readonly responseId: string;
  readonly kind: ItemKind;
  readonly number: number;
}

/** Parses an id of `itemId`; `undefined` for other ids. */
export function readItemId(id: unknown): NamedItem | undefined {
  const [, prefix, name, number] = (typeof id === 'string' ? form.exec(id) : null) ?? [];
  if (prefix === undefined || name === undefined) return undefined;
  return { responseId: responsePrefix + name, kind: kinds[prefix as keyof typeof kinds], number: Number(number) };
}
