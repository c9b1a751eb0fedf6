import { actionFailed } from '../../model/steps/action-errors';

export interface PositionalQuery {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** These texts may hold a colon that is no placeholder: strings, names, comments, dollar quotes, casts. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$[A-Za-z_]*\$)[\s\S]*?\1|::|:([A-Za-z_]\w*)/g;

/** `:name` as `$1`, because PostgreSQL only knows positions. */
export function toPositional(query: string, params: Readonly<Record<string, unknown>>): PositionalQuery {
  const positions = new Map<string, number>();
  const text = query.replace(token, (found: string, _quote: unknown, name: string | undefined) => {
    if (name === undefined) return found;
    if (!Object.hasOwn(params, name)) throw actionFailed(`params has no value for :${name}.`);
    const position = positions.get(name) ?? positions.size + 1;
    positions.set(name, position);
    return `$${position}`;
  });
  return { text, values: [...positions.keys()].map((name) => params[name]) };
}
