/** A line with a JSON object, in the form for people. */
export interface JsonLine {
  readonly level?: 'error' | 'warning' | 'info' | 'debug';
  readonly message: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

const messageNames = ['msg', 'message', 'event'];
const levelNames = ['level', 'severity', 'lvl', 'levelname'];
const maxFields = 30;
const maxValueLength = 500;

/** Returns `undefined` where the line is no object with a message. */
export function readJsonLine(text: string): JsonLine | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  const value = parse(trimmed);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const message = entries.find(([name, content]) => messageNames.includes(name) && typeof content === 'string');
  if (message === undefined) return undefined;
  const level = entries.find(([name]) => levelNames.includes(name));
  const kind = levelOf(level?.[1]);
  return {
    ...(kind === undefined ? {} : { level: kind }),
    message: String(message[1]),
    fields: entries
      .filter(([name]) => name !== message[0] && (kind === undefined || name !== level?.[0]))
      .slice(0, maxFields)
      .map(([name, content]) => [name, shorten(typeof content === 'string' ? content : JSON.stringify(content))]),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the level names of any library, and the numbers of pino. */
function levelOf(value: unknown): JsonLine['level'] {
  if (typeof value === 'number')
    return value >= 50 ? 'error' : value >= 40 ? 'warning' : value >= 30 ? 'info' : 'debug';
  if (typeof value !== 'string') return undefined;
  if (/^(err|fatal|crit|alert|emerg|panic)/i.test(value)) return 'error';
  if (/^warn/i.test(value)) return 'warning';
  if (/^(info|notice)/i.test(value)) return 'info';
  return /^(debug|trace)/i.test(value) ? 'debug' : undefined;
}

function shorten(text: string): string {
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
