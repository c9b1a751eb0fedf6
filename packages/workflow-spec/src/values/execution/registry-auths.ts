import { settingBound } from '../../shapes/settings/setting-shapes';
import { settingsShape } from '../../shapes/settings/settings-shape';
import type { JsonObject } from '../../model/json';
import { keySpec } from '../../shapes/object-kind';
import { readNonEmptyText } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { either, nonEmptyText, hasReference, recordShape, text } from '../../shapes/shapes';
import { getKind, type YamlValue } from '../../source/yaml/yaml-value';

const isMap = (value: YamlValue) => getKind(value) === 'map';

const signIn = settingsShape({
  title: 'registry credentials',
  keys: {
    username: keySpec('User name', nonEmptyText),
    password: keySpec('Password or token', text),
    auth: keySpec("User name and password as in the engine's configuration file", nonEmptyText),
  },
});

const byHost = recordShape(either<JsonObject, string>(isMap, signIn, nonEmptyText), settingBound('registry_auths'));

const jsonText = shape<string>(
  (value) => {
    const found = readNonEmptyText(value);
    if (found === undefined || hasReference(value) || isJsonMap(found)) return found;
    // The value is not shown: it may contain a password.
    value.context.report.add('invalid_value', value, "field 'registry_auths': must be a map, or a JSON string of one");
    return undefined;
  },
  { type: 'string', minLength: 1 },
);

/** A map from registry host to credentials, or a JSON string of such a map. */
export const registryAuths = either(isMap, byHost, jsonText);

function isJsonMap(found: string): boolean {
  try {
    const value: unknown = JSON.parse(found);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
