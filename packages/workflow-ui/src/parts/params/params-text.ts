/** Formats the parameters of a run as `name=value`, even if they were passed as JSON, which is hard to read in a row. */
export function paramsText(params: string): string {
  const value = parse(params);
  if (typeof value !== 'object' || value === null) return params;
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return Object.entries(value)
    .map(([name, part]) => `${name}=${textOf(part)}`)
    .join(' ');
}

function parse(params: string): unknown {
  if (!/^\s*[[{]/.test(params)) return undefined;
  try {
    return JSON.parse(params);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}
