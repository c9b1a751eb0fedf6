import type { Spot } from '../finding-report';
import { anyJson } from '../read/shapes';
import { madeList, madeMap, madeValue } from '../yaml/made-value';
import { entriesOf, itemsOf, kindOf, textOf, type ReadContext, type YamlValue } from '../yaml/yaml-value';
import { splitPath, templateParts, type TextGap } from './template-text';

/** What a call puts into the gaps of a template. */
export interface Filling {
  /** The value of an input with its place; nothing for one that was not given and has no default. */
  readonly find: (path: readonly string[]) => YamlValue | undefined;
  /** Told the path of an input that a text needs and that was not given. */
  readonly missing: (path: readonly string[]) => void;
  /** Told how long what is filled in is; false when no more may be filled. */
  readonly spend: (length: number) => boolean;
  /** The place of texts that were put together. */
  readonly spot: Spot;
  readonly context: ReadContext;
}

/** The template with its gaps filled. An entry that is `{$input: name}` is left out when there is no such input. */
export function fillTemplate(template: YamlValue, filling: Filling): YamlValue | undefined {
  const { context } = filling;
  switch (kindOf(template)) {
    case 'map': {
      const path = inputReference(template);
      if (path) return fillReference(path, filling);
      const entries = entriesOf(template).flatMap((entry) => {
        const value = fillTemplate(entry.value, filling);
        return value ? [{ ...entry, value }] : [];
      });
      return madeMap(entries, template, context);
    }
    case 'list': {
      const items = itemsOf(template).flatMap((item) => fillTemplate(item, filling) ?? []);
      return madeList(items, template, context);
    }
    case 'text':
      return fillText(template, filling);
    default:
      return template;
  }
}

function fillReference(path: readonly string[], { find, spend }: Filling): YamlValue | undefined {
  const value = find(path);
  return value && spend(JSON.stringify(anyJson.read(value) ?? null).length) ? value : undefined;
}

/** The path of `{$input: path}`. */
export function inputReference(map: YamlValue): readonly string[] | undefined {
  const [first, ...others] = entriesOf(map);
  if (first?.key !== '$input' || others.length > 0) return undefined;
  const path = textOf(first.value);
  return path === undefined ? undefined : splitPath(path);
}

function fillText(template: YamlValue, filling: Filling): YamlValue {
  const parts = templateParts(textOf(template) ?? '');
  if (!parts.some(({ kind }) => kind === 'gap')) return template;
  const filled: string[] = [];
  for (const part of parts) {
    const text = part.kind === 'gap' ? fillGap(part, filling) : part.text;
    if (!filling.spend(text.length)) break;
    filled.push(text);
  }
  // Shown at the call, whose input is in it, and named as the part of the template that it fills.
  const spot = { range: filling.spot.range, path: template.path };
  return madeValue(filled.join(''), spot, filling.context);
}

function fillGap({ path, isJson }: TextGap, filling: Filling): string {
  const value = filling.find(path);
  if (!value) {
    filling.missing(path);
    return '';
  }
  const kind = kindOf(value);
  if (isJson || kind === 'list' || kind === 'map') return JSON.stringify(anyJson.read(value) ?? null);
  return textOf(value) ?? '';
}
