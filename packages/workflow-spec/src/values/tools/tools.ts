import { compact } from '../../model/compact';
import { limits } from '../../model/limits';
import { toolProviders, type Tool } from '../../model/tool';
import { limitEntries } from '../../shapes/limit-entries';
import { keySpec, objectKind, objectSchema } from '../../shapes/object-kind';
import { readObject } from '../../shapes/read-object';
import { readNonEmptyText, type Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { enumShape, reportInvalid } from '../../shapes/shapes';
import { quote } from '../../source/text/quote';
import { getItems, getKind, getText, report, type YamlValue } from '../../source/yaml/yaml-value';

const toolKind = objectKind({
  title: 'tool',
  keys: {
    name: keySpec(
      'Name of the package; with url, also of the command',
      matching(/^(?:@[a-z0-9][\w.-]*\/)?[A-Za-z0-9][\w.-]*$/, 'must be the name of a package'),
      { required: true },
    ),
    version: keySpec(
      'The exact version',
      matching(/^[A-Za-z0-9][\w.+-]*$/, 'must be one exact version, such as 1.7.1'),
      { required: true },
    ),
    provider: keySpec('url, npm or pip', enumShape(...toolProviders), { required: true }),
    checksum: keySpec(
      'Hash of what is downloaded: sha256: or sha512: and hex digits, or the integrity that npm names',
      matching(
        /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}|sha512-[A-Za-z0-9+/]{86}==)$/,
        'must be sha256: or sha512: and lower-case hex digits, or sha512- and base64',
      ),
      { required: true },
    ),
    url: keySpec(
      'With url: the https address of an executable, or of a .tar.gz or .zip archive',
      matching(/^https?:\/\/[^\s@]+$/, 'must be an http or https address without credentials'),
    ),
    path: keySpec(
      'With url, in an archive: the path of the command',
      matching(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$)).+$/, 'must be a relative path inside the archive'),
    ),
  },
});

const bound = { limit: limits.tools, code: 'invalid_value', what: 'the tools of a DAG' } as const;

const readTools: Reader<readonly Tool[]> = (value) => {
  if (getKind(value) !== 'list') {
    if (getKind(value) !== 'broken')
      report(value, 'invalid_type', 'tools must be a list of maps with name, version, provider and checksum');
    return undefined;
  }
  const names = new Set<string>();
  return limitEntries(getItems(value), value, bound).flatMap((item) => {
    const tool = readTool(item);
    if (tool === undefined) return [];
    if (names.has(tool.name)) report(item, 'duplicate_name', `duplicate tool ${quote(tool.name)}`);
    names.add(tool.name);
    return [tool];
  });
};

/** The command-line tools of a DAG. */
export const tools = shape(readTools, (book) => ({
  type: 'array',
  maxItems: limits.tools,
  items: book.refer('Tool', () => objectSchema(toolKind, book)),
}));

function readTool(item: YamlValue): Tool | undefined {
  if (getKind(item) === 'text') {
    const message = `the tool ${quote(getText(item) ?? '')} has no checksum: write a map with name, version, provider and checksum`;
    report(item, 'unsupported_value', message);
    return undefined;
  }
  const fields = readObject(item, toolKind)?.fields;
  const { name, version, provider, checksum, url, path } = fields ?? {};
  if (!name?.value || !version?.value || !provider?.value || !checksum?.value) return undefined;
  const isByUrl = provider.value === 'url';
  if (isByUrl && !url) report(item, 'missing_key', 'url is required with the provider url');
  const extra = isByUrl ? undefined : (url ?? path);
  if (extra) item.context.report.add('conflicting_keys', extra.keyLocation, 'url and path need the provider url');
  if (isByUrl && name.value.includes('/')) report(name.source, 'invalid_value', 'must be the name of a command');
  if (provider.value === 'npm' && !checksum.value.startsWith('sha512')) {
    report(checksum.source, 'invalid_value', 'npm needs a checksum by sha512: the integrity of the package');
  }
  return {
    name: name.value,
    version: version.value,
    provider: provider.value,
    checksum: checksum.value,
    ...compact({ url: url?.value, path: path?.value }),
  };
}

function matching(pattern: RegExp, problem: string) {
  const read: Reader<string> = (value) => {
    const found = readNonEmptyText(value);
    return found === undefined || (found.length <= 2048 && pattern.test(found)) ? found : reportInvalid(value, problem);
  };
  return shape(read, { anyOf: [{ type: 'string', pattern: pattern.source, maxLength: 2048 }, { type: 'number' }] });
}
