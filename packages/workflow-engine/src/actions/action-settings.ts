import { AppError } from '@weir/errors';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';

/** The settings of an action by their names; what they are was checked by the table of the action. */
export interface ActionSettings {
  has(name: string): boolean;
  value(name: string): JsonValue | undefined;
  text(name: string): string | undefined;
  /** Of a setting that must be given. */
  required(name: string): string;
  number(name: string): number | undefined;
  /** `false` when not given. */
  flag(name: string): boolean;
  texts(name: string): readonly string[];
  textMap(name: string): Readonly<Record<string, string>>;
}

export function actionSettings(settings: JsonObject): ActionSettings {
  const value = (name: string): JsonValue | undefined => (Object.hasOwn(settings, name) ? settings[name] : undefined);
  const text = (name: string): string | undefined => asText(value(name));
  return {
    has: (name) => value(name) !== undefined,
    value,
    text,
    required: (name) => text(name) ?? missing(name),
    number: (name) => {
      const found = value(name);
      return typeof found === 'number' ? found : undefined;
    },
    flag: (name) => value(name) === true,
    texts: (name) => toTexts(value(name)),
    textMap: (name) => {
      const entries = Object.entries(asObject(value(name)) ?? {});
      return Object.fromEntries(entries.map(([key, item]) => [key, asText(item) ?? '']));
    },
  };
}

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !isList(value) ? value : undefined;
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function toTexts(value: JsonValue | undefined): readonly string[] {
  if (isList(value)) return value.map((item) => asText(item) ?? '');
  const one = asText(value);
  return one === undefined ? [] : [one];
}

function asText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function missing(name: string): never {
  throw new AppError('internal', `The setting ${name} of an action was not checked.`);
}
