import { quote } from '../../source/text/quote';
import { readText } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { report } from '../../source/yaml/yaml-value';

export const envNamePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const envName = shape<string>(
  (value) => {
    const name = readText(value);
    if (name === undefined || envNamePattern.test(name)) return name;
    report(value, 'invalid_env_name', invalidEnvName(name));
    return undefined;
  },
  { type: ['string', 'boolean'], pattern: envNamePattern.source },
);

export function invalidEnvName(name: string): string {
  return `invalid environment variable name ${quote(name)}: letters, digits and underscores, not beginning with a digit`;
}
