import type { JsonObject } from '../model/json';
import { namedShape, type Shape } from '../shapes/shape';
import { settingsShape, type SettingsSource, type SettingsTable } from './settings-shape';

/** An action of the catalogue. */
export interface ActionSpec {
  readonly name: string;
  readonly description: string;
  /** Its settings: keys in their present spelling, values as authored, references left as texts. */
  readonly with: Shape<JsonObject>;
  /** Whether the action makes no sense without settings. */
  readonly needsWith: boolean;
}

type ActionSource<Keys extends SettingsTable> = Omit<SettingsSource<Keys>, 'title'> & { readonly description: string };

export function defineAction<Keys extends SettingsTable>(name: string, source: ActionSource<Keys>): ActionSpec {
  const { description, ...settings } = source;
  const isRequired = Object.values(source.keys).some((spec) => spec.required === true);
  return {
    name,
    description,
    with: namedShape(schemaName(name), settingsShape({ title: `with of ${name}`, ...settings })),
    needsWith: isRequired || (source.choices ?? []).some((choice) => choice.isRequired),
  };
}

/** `http.request` is `HttpRequestWith`. */
export function schemaName(name: string): string {
  const words = name.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}With`;
}
