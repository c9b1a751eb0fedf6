import { findCommonMistake } from './common-mistakes';
import type { InputReader } from './input-reader';
import { parseList, spaceOrComma } from './list';
import { invalidInput, validInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';
import type { PackageRegistries, PackageRegistry } from './settings';
import { defaultUniverse } from './universe';

interface Format {
  /** The part of the host. */
  readonly name: keyof PackageRegistries;
  /** The names before the URL. */
  readonly names: RegExp;
  /** A valid item. */
  readonly example: string;
  /** A name that several registries can have. */
  readonly shared?: string;
}

const npm: Format = {
  name: 'npm',
  names: /^(?:@[a-z0-9~-][a-z0-9._~-]*)?$/,
  example: '@scope=https://europe-npm.pkg.dev/project/repository/, without @scope= for all packages',
};
const python: Format = {
  name: 'python',
  names: /^(?:extra)?$/,
  example: 'https://europe-python.pkg.dev/project/repository/simple/, after extra= for one beside the index of the job',
  shared: 'extra',
};
const maven: Format = {
  name: 'maven',
  // In the settings, the id is also part of a comment, which cannot contain two hyphens.
  names: /^\w+(?:[.-]\w+)*$/,
  example: 'id=https://europe-maven.pkg.dev/project/repository, with the id that the pom gives it',
};

/** `undefined` without such inputs. The universe is that of the account. */
export function readPackageRegistries(reader: InputReader, universe: string): PackageRegistries | undefined {
  const read = (format: Format): readonly PackageRegistry[] => {
    const input = `${format.name}_registries`;
    const registries = reader.readOptional(input, (text) => parseRegistries(text, format)) ?? [];
    if (registries.length > 0 && universe !== defaultUniverse) {
      const message = `is set, but the registries of the universe ${universe} have other hosts. Use token_format: access_token.`;
      reader.report(input, invalidInput('registry_invalid', message));
    }
    return registries;
  };
  const registries = { npm: read(npm), python: read(python), maven: read(maven) };
  return Object.values(registries).some((each) => each.length > 0) ? registries : undefined;
}

function parseRegistries(text: string, format: Format): ParsedInput<readonly PackageRegistry[]> {
  const parsed = parseList(text, (item) => parseRegistry(item, format), spaceOrComma);
  if (!parsed.ok) return parsed;
  const names = parsed.value.map(({ name }) => name).filter((name) => name !== format.shared);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return parsed;
  const what = repeated === '' ? 'all packages' : repeated;
  return invalidInput('registry_invalid', `has two registries for ${what}. Use the form ${format.example}.`);
}

/** Accepts the URLs that gcloud prints. The token must not be sent to other hosts. */
function parseRegistry(text: string, { name: format, names, example }: Format): ParsedInput<PackageRegistry> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  const [, name = '', scheme = '', rest = ''] = /^(?:([^=:/]*)=)?([a-z]+):\/\/(.*)$/.exec(text) ?? [];
  const location = rest.replace(format === 'python' ? /(?:\/simple)?\/?$/ : /\/$/, '');
  const isHttps = scheme === 'https' || (scheme === 'artifactregistry' && format === 'maven');
  if (isHttps && names.test(name) && repository.exec(location)?.[1] === format) {
    return validInput({ name, url: `https://${location}` });
  }
  return invalidInput('registry_invalid', `is ${quoteInput(text)}. Use the form ${example}.`);
}

/** The id of a project that belongs to a domain has two parts. */
const repository = /^[a-z][a-z0-9-]*-(npm|python|maven)\.pkg\.dev(?:\/[a-z0-9][a-z0-9._-]*){2,3}$/;
