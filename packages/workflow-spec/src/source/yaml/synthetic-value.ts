import { Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { JsonValue } from '../../model/json';
import type { SourceLocation } from '../findings/source-location';
import type { ReadContext, YamlEntry, YamlValue } from './yaml-value';

/** A map composed of entries of the file; findings about a part keep the location of the part. */
export function syntheticMap(entries: readonly YamlEntry[], location: SourceLocation, context: ReadContext): YamlValue {
  const map = new YAMLMap();
  for (const { key, value } of entries) map.items.push(new Pair(syntheticKey(key), value.node));
  context.index.partLocations.set(
    map,
    entries.map((entry) => ({ key: entry.location, value: toLocation(entry.value) })),
  );
  return { ...toLocation(location), context, node: map };
}

export function syntheticList(items: readonly YamlValue[], location: SourceLocation, context: ReadContext): YamlValue {
  const list = new YAMLSeq();
  list.items.push(...items.map((item) => item.node));
  context.index.partLocations.set(
    list,
    items.map((item) => ({ key: toLocation(item), value: toLocation(item) })),
  );
  return { ...toLocation(location), context, node: list };
}

export function syntheticEntry(key: string, value: YamlValue, location: SourceLocation = value): YamlEntry {
  return { key, location: toLocation(location), value };
}

/** A value that is not in the file; all of its parts have the given location. */
export function syntheticValue(json: JsonValue, location: SourceLocation, context: ReadContext): YamlValue {
  if (Array.isArray(json)) {
    const items = json as readonly JsonValue[];
    return syntheticList(
      items.map((item) => syntheticValue(item, location, context)),
      location,
      context,
    );
  }
  if (typeof json !== 'object' || json === null) return { ...toLocation(location), context, node: new Scalar(json) };
  const entries = Object.entries(json).map(([key, value]) =>
    syntheticEntry(key, syntheticValue(value, location, context), location),
  );
  return syntheticMap(entries, location, context);
}

function syntheticKey(key: string): Scalar {
  return Object.assign(new Scalar(key), { source: key });
}

function toLocation({ range, path }: SourceLocation): SourceLocation {
  return { range, path };
}
