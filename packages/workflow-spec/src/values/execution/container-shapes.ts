import { oneOrTexts, settingBound } from '../../shapes/settings/setting-shapes';
import type { JsonObject } from '../../model/json';
import { limits } from '../../model/limits';
import { readText } from '../../shapes/readers';
import { transformShape, shape, type Shape } from '../../shapes/shape';
import {
  anyMap,
  boolean,
  either,
  nonEmptyText,
  reportInvalid,
  listShape,
  enumShape,
  orReference,
} from '../../shapes/shapes';
import { env } from '../environment/env';
import { getKind, type YamlValue } from '../../source/yaml/yaml-value';

/** A string matching the pattern, or one with references. */
function textLike(pattern: RegExp, what: string): Shape<string> {
  return orReference(
    shape<string>(
      (value) => {
        const found = readText(value);
        return found === undefined || pattern.test(found) ? found : reportInvalid(value, what);
      },
      { type: ['string', 'number', 'boolean'], pattern: pattern.source },
    ),
  );
}

export const image = textLike(
  /^[A-Za-z0-9][A-Za-z0-9._/:@-]*$/,
  'must be the name of an image, such as alpine:3.20 or registry.example.com/team/app@sha256:…',
);

export const containerName = textLike(
  /^[A-Za-z0-9][A-Za-z0-9_.-]*$/,
  'must be the name of a container: letters, digits, underscores, dots and dashes',
);

const volume = textLike(
  /^(?:[A-Za-z]:[\\/])?[^:]+:[^:]+(?::[A-Za-z,]+)?$/,
  'must be source:target, with an optional :ro',
);
export const volumes = listShape(volume, settingBound('volumes'));

export const platform = textLike(/^[a-z0-9]+(?:\/[a-z0-9]+){1,2}$/, 'must be a platform such as linux/amd64');

const number = '(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})';
const ports16 = `${number}(?:-${number})?`;
const portForm = new RegExp(
  `^(?:(?:(?:[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|\\[[0-9A-Fa-f:]+\\]|localhost):)?(?:${ports16})?:)?${ports16}(?:/(?:tcp|udp|sctp))?$`,
);
const portMapping = textLike(portForm, 'must be a port or host:container, each from 1 to 65535, such as 8080:80');
export const ports = listShape(portMapping, settingBound('ports'));

export const restartPolicy = textLike(
  /^(?:no|always|unless-stopped|on-failure(?::[0-9]{1,6})?)$/,
  'must be one of: no, always, unless-stopped, on-failure, on-failure:N',
);

const pullWord = enumShape('always', 'never', 'missing', 'fallback');
/** Accepts true for `always` and false for `never`. */
export const pullPolicy: Shape<string> = orReference(
  either(
    (value) => getKind(value) === 'boolean',
    transformShape(boolean, (isPulled) => (isPulled ? 'always' : 'never')),
    pullWord,
  ),
);

export const logPattern = orReference(
  shape<string>(
    (value) => {
      const found = nonEmptyText.read(value);
      const problem = found === undefined ? undefined : value.context.checkPattern(found);
      return problem === undefined ? found : reportInvalid(value, problem);
    },
    { type: ['string', 'number', 'boolean'], minLength: 1, maxLength: limits.patternLength },
  ),
);

export const containerEnv: Shape<readonly string[]> = {
  read: (value) => env.read(value)?.map((entry) => `${entry.name}=${entry.value}`),
  schema: env.schema,
};

export const command = oneOrTexts('command');

const isMap = (value: YamlValue) => getKind(value) === 'map';

export const nameOrMap: Shape<string | JsonObject> = either<JsonObject, string>(isMap, anyMap, nonEmptyText);
