import type { JsonValue } from '@weir/workflow-spec';
import { actionFailed } from '../../model/steps/action-errors';
import { isList } from '../../values/text/is-list';

type TemplateFunction = (args: readonly JsonValue[]) => JsonValue;

/** The maximum length of one text that a function returns. */
const maxLength = 16_777_216;

export function isTrue(value: JsonValue): boolean {
  if (isList(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Formats a value: a string unchanged, a list or a map as JSON. */
export function printed(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) throw actionFailed('The template prints a missing value.');
  return JSON.stringify(value);
}

const ofText =
  (change: (text: string) => JsonValue): TemplateFunction =>
  ([value = null]) =>
    change(printed(value));
const ofTwo =
  (change: (first: string, text: string) => JsonValue): TemplateFunction =>
  ([first = null, text = null]) =>
    change(printed(first), printed(text));
const compared =
  (is: (order: number) => boolean): TemplateFunction =>
  ([left = null, right = null]) =>
    is(order(left, right));

const functions: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
  ['and', (args) => args.find((arg) => !isTrue(arg)) ?? args.at(-1) ?? null],
  ['or', (args) => args.find(isTrue) ?? args.at(-1) ?? null],
  ['not', ([value = null]) => !isTrue(value)],
  ['eq', ([left = null, ...others]) => others.some((other) => isSame(left, other))],
  ['ne', ([left = null, right = null]) => !isSame(left, right)],
  ['lt', compared((found) => found < 0)],
  ['le', compared((found) => found <= 0)],
  ['gt', compared((found) => found > 0)],
  ['ge', compared((found) => found >= 0)],
  ['len', ([value = null]) => measureLength(value)],
  ['index', ([value = null, ...keys]) => keys.reduce(readItem, value)],
  ['print', (args) => joined(args.map(printed), '')],
  ['upper', ofText((text) => text.toUpperCase())],
  ['lower', ofText((text) => text.toLowerCase())],
  ['trim', ofText((text) => text.trim())],
  ['quote', ofText((text) => JSON.stringify(text))],
  ['toJson', ([value = null]) => JSON.stringify(value)],
  ['default', ([fallback = null, value = null]) => (isTrue(value) ? value : fallback)],
  ['join', ([by = null, list = null]) => joined(isList(list) ? list.map(printed) : [printed(list)], printed(by))],
  ['split', ofTwo((by, text) => text.split(by))],
  ['contains', ofTwo((part, text) => text.includes(part))],
  ['hasPrefix', ofTwo((part, text) => text.startsWith(part))],
  ['hasSuffix', ofTwo((part, text) => text.endsWith(part))],
]);

export function isTemplateFunction(name: string): boolean {
  return functions.has(name);
}

export function callTemplateFunction(name: string, args: readonly JsonValue[]): JsonValue {
  const known = functions.get(name);
  if (!known) throw actionFailed('The template calls an unknown function.');
  return known(args);
}

/** A part of a value; null when it has no such part. */
export function readItem(value: JsonValue, key: JsonValue): JsonValue {
  if (isList(value)) return value[Number(key)] ?? null;
  if (typeof value !== 'object' || value === null) return null;
  const name = printed(key);
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

function isSame(left: JsonValue, right: JsonValue): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function order(left: JsonValue, right: JsonValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right);
  throw actionFailed('The template compares values that have no order.');
}

function measureLength(value: JsonValue): number {
  if (typeof value === 'string') return Array.from(value).length;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  throw actionFailed('The template reads the length of a value without one.');
}

function joined(parts: readonly string[], by: string): string {
  const length = parts.reduce((sum, part) => sum + part.length + by.length, 0);
  if (length > maxLength) throw actionFailed('The template produces a string that is too long.');
  return parts.join(by);
}
