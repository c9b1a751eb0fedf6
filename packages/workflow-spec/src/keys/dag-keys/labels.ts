import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { limitEntries } from '../../shapes/limit-entries';
import { readText, reportWrongKind, type Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { getEntries, getItems, getKind, report, type YamlValue } from '../../source/yaml/yaml-value';

const keyPattern = /^[a-z0-9][a-z0-9_.-]*$/;
const valuePattern = /^[a-z0-9_./-]*$/;
const workspacePattern = /^[a-z0-9_-]{1,64}$/;
const bound = { limit: limits.labels, code: 'invalid_label', what: 'labels' } as const;
const reservedWorkspaces = new Set(['all', 'default', 'global']);

const readLabels: Reader<readonly string[]> = (value) => {
  const labels = collectLabels(value);
  if (labels) return [...new Set(labels)].sort();
  reportWrongKind(value, 'a comma-separated string, a list, or a map');
  return undefined;
};

export const labels = shape(readLabels, {
  anyOf: [
    { type: ['string', 'number', 'boolean'] },
    { type: 'array', items: { type: ['string', 'number', 'boolean'] } },
    { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
  ],
});

/** Returns the workspace named by the only valid `workspace=<name>` label; undefined when there are none or several. */
export function findWorkspace(labels: readonly string[]): string | undefined {
  const [name, ...others] = labels
    .filter((label) => label.startsWith('workspace='))
    .map((label) => label.slice('workspace='.length))
    .filter((found) => workspacePattern.test(found) && !reservedWorkspaces.has(found));
  return others.length > 0 ? undefined : name;
}

function collectLabels(value: YamlValue): readonly string[] | undefined {
  switch (getKind(value)) {
    case 'list':
      return limitEntries(getItems(value), value, bound).flatMap((item) => readLabel(item, readText(item)));
    case 'map':
      return limitEntries(getEntries(value), value, bound).flatMap((entry) => {
        const text = getKind(entry.value) === 'null' ? '' : readText(entry.value);
        return text === undefined ? [] : readLabel(entry.value, `${entry.key}=${text}`);
      });
    case 'text':
    case 'number':
    case 'boolean': {
      const parts = (readText(value) ?? '').split(',').filter((part) => part.trim() !== '');
      return limitEntries(parts, value, bound).flatMap((part) => readLabel(value, part));
    }
    default:
      return undefined;
  }
}

function readLabel(source: YamlValue, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const [key = '', ...rest] = text.trim().toLowerCase().split('=');
  const labelValue = rest.join('=').trim();
  const problem = labelProblem(key.trim(), labelValue);
  if (problem) {
    report(source, 'invalid_label', `the label ${quote(text.trim())} is not valid: ${problem}`);
    return [];
  }
  return [labelValue === '' ? key.trim() : `${key.trim()}=${labelValue}`];
}

function labelProblem(key: string, value: string): string | undefined {
  if (key.length > limits.labelKeyLength) return `its key is longer than ${limits.labelKeyLength} characters`;
  if (value.length > limits.labelValueLength) return `its value is longer than ${limits.labelValueLength} characters`;
  if (!keyPattern.test(key))
    return 'a key is letters, digits, dots, dashes and underscores, and begins with a letter or digit';
  if (!valuePattern.test(value)) return 'a value is letters, digits, dots, dashes, underscores and slashes';
  return undefined;
}
