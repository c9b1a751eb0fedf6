import type { JsonValue } from '../../model/json';
import { limits } from '../../model/limits';
import { syntheticEntry, syntheticValue } from '../../source/yaml/synthetic-value';
import { getText, type YamlEntry, type YamlValue } from '../../source/yaml/yaml-value';

/** A method, which may be a reference, before an address. */
const line = /^([A-Za-z]+|\$\{[^{}]+\}|\$[A-Za-z_]\w*)\s+(\S.*)$/s;
const settings = new Set([
  'body',
  'debug',
  'form',
  'format',
  'headers',
  'json',
  'query',
  'silent',
  'skipTLSVerify',
  'skip_tls_verify',
  'timeout',
]);

/** Reads `GET https://…`, the form of a request in 1.x; an address alone leaves the method to the settings. */
export function requestLine(command: YamlValue): readonly YamlEntry[] {
  const text = getText(command)?.trim() ?? '';
  const [, method, url] = line.exec(text) ?? [];
  const made = (key: string, value: string) => syntheticEntry(key, syntheticValue(value, command, command.context));
  return method === undefined || url === undefined ? [made('url', text)] : [made('method', method), made('url', url)];
}

/** Reads the script of a request as in 1.x: settings as JSON, or else the body. */
export function requestScript(script: YamlValue): readonly YamlEntry[] {
  const found = parseSettings(getText(script) ?? '');
  if (!found) return [syntheticEntry('body', script)];
  return Object.entries(found).map(([key, value]) =>
    syntheticEntry(key, syntheticValue(value, script, script.context)),
  );
}

function parseSettings(text: string): Readonly<Record<string, JsonValue>> | undefined {
  if (!text.trimStart().startsWith('{') || !isShallow(text)) return undefined;
  try {
    const found = JSON.parse(text) as Readonly<Record<string, JsonValue>>;
    return Object.keys(found).every((key) => settings.has(key)) ? found : undefined;
  } catch {
    // A string that is not JSON is the body.
    return undefined;
  }
}

function isShallow(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > limits.depth) return false;
  }
  return true;
}
