import { Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { JsonValue } from '../canonical/json';
import type { Spot } from '../finding-report';
import type { ReadContext, YamlEntry, YamlValue } from './yaml-value';

/** A map put together from entries of the file: whatever is wrong with a part is reported where the part stands. */
export function madeMap(entries: readonly YamlEntry[], spot: Spot, context: ReadContext): YamlValue {
  const map = new YAMLMap();
  for (const { key, value } of entries) map.items.push(new Pair(madeKey(key), value.node));
  context.index.places.set(
    map,
    entries.map((entry) => ({ key: entry.spot, value: spotOf(entry.value) })),
  );
  return { ...spotOf(spot), context, node: map };
}

export function madeList(items: readonly YamlValue[], spot: Spot, context: ReadContext): YamlValue {
  const list = new YAMLSeq();
  list.items.push(...items.map((item) => item.node));
  context.index.places.set(
    list,
    items.map((item) => ({ key: spotOf(item), value: spotOf(item) })),
  );
  return { ...spotOf(spot), context, node: list };
}

export function madeEntry(key: string, value: YamlValue, spot: Spot = value): YamlEntry {
  return { key, spot: spotOf(spot), value };
}

/** A value that stands nowhere; all of it has the one place. */
export function madeValue(json: JsonValue, spot: Spot, context: ReadContext): YamlValue {
  if (Array.isArray(json)) {
    const items = json as readonly JsonValue[];
    return madeList(
      items.map((item) => madeValue(item, spot, context)),
      spot,
      context,
    );
  }
  if (typeof json !== 'object' || json === null) return { ...spotOf(spot), context, node: new Scalar(json) };
  const entries = Object.entries(json).map(([key, value]) => madeEntry(key, madeValue(value, spot, context), spot));
  return madeMap(entries, spot, context);
}

function madeKey(key: string): Scalar {
  return Object.assign(new Scalar(key), { source: key });
}

function spotOf({ range, path }: Spot): Spot {
  return { range, path };
}
