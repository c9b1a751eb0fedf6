import type { SourceLocation } from '../../source/findings/source-location';
import { anyJson } from '../../shapes/shapes';
import { syntheticList, syntheticMap, syntheticValue } from '../../source/yaml/synthetic-value';
import { getEntries, getItems, getKind, getText, type ReadContext, type YamlValue } from '../../source/yaml/yaml-value';
import { splitPath, templateParts, type TextGap } from './template-text';

export interface TemplateInput {
  /** Returns the value of an input; undefined when it was not given and has no default. */
  readonly find: (path: readonly string[]) => YamlValue | undefined;
  /** Called with the path of an input that the template needs and the call does not give. */
  readonly missing: (path: readonly string[]) => void;
  /** Called with the length of each inserted value; returns false when the budget is exhausted. */
  readonly spend: (length: number) => boolean;
  /** The location of strings assembled from several parts. */
  readonly location: SourceLocation;
  readonly context: ReadContext;
}

/** Fills the placeholders of a template. An entry `{$input: name}` is dropped when the input is missing. */
export function fillTemplate(template: YamlValue, input: TemplateInput): YamlValue | undefined {
  const { context } = input;
  switch (getKind(template)) {
    case 'map': {
      const path = inputReference(template);
      if (path) return fillReference(path, input);
      const entries = getEntries(template).flatMap((entry) => {
        const value = fillTemplate(entry.value, input);
        return value ? [{ ...entry, value }] : [];
      });
      return syntheticMap(entries, template, context);
    }
    case 'list': {
      const items = getItems(template).flatMap((item) => fillTemplate(item, input) ?? []);
      return syntheticList(items, template, context);
    }
    case 'text':
      return fillText(template, input);
    default:
      return template;
  }
}

function fillReference(path: readonly string[], { find, spend }: TemplateInput): YamlValue | undefined {
  const value = find(path);
  return value && spend(JSON.stringify(anyJson.read(value) ?? null).length) ? value : undefined;
}

export function inputReference(map: YamlValue): readonly string[] | undefined {
  const [first, ...others] = getEntries(map);
  if (first?.key !== '$input' || others.length > 0) return undefined;
  const path = getText(first.value);
  return path === undefined ? undefined : splitPath(path);
}

function fillText(template: YamlValue, input: TemplateInput): YamlValue {
  const parts = templateParts(getText(template) ?? '');
  if (!parts.some(({ kind }) => kind === 'gap')) return template;
  const filled: string[] = [];
  for (const part of parts) {
    const text = part.kind === 'gap' ? fillGap(part, input) : part.text;
    if (!input.spend(text.length)) break;
    filled.push(text);
  }
  // The finding is at the call, which gave the input, but has the path inside the template.
  const location = { range: input.location.range, path: template.path };
  return syntheticValue(filled.join(''), location, input.context);
}

function fillGap({ path, isJson }: TextGap, input: TemplateInput): string {
  const value = input.find(path);
  if (!value) {
    input.missing(path);
    return '';
  }
  const kind = getKind(value);
  if (isJson || kind === 'list' || kind === 'map') return JSON.stringify(anyJson.read(value) ?? null);
  return getText(value) ?? '';
}
