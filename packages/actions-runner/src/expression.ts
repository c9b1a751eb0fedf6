/** The contexts of `${{ … }}`: `vars`, `matrix`, `steps`, `github`. */
export type ExpressionContext = Readonly<Record<string, unknown>>;

/**
 * Evaluates an expression of a workflow file: paths, quoted strings, `==`, `!=`, `&&`, `||` and parentheses. Throws for
 * anything else.
 */
export function evaluate(expression: string, context: ExpressionContext): unknown {
  const tokens = expression.match(/'(?:[^']|'')*'|==|!=|&&|\|\||[()]|[\w.-]+|\S/g) ?? [];
  let at = 0;
  const next = (): string => tokens[at++] ?? '';
  const skip = (token: string): boolean => tokens[at] === token && next() === token;

  const atom = (): unknown => {
    const token = next();
    if (token === '(') {
      const value = parseOr();
      if (!skip(')')) throw new Error(`A parenthesis is not closed in "${expression}".`);
      return value;
    }
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    const [root = '', ...names] = token.split('.');
    if (!(root in context)) throw new Error(`"${token}" in "${expression}" is not supported.`);
    return names.reduce<unknown>((value, name) => (Object(value) as ExpressionContext)[name], context[root]) ?? '';
  };
  const comparison = (): unknown => {
    const left = atom();
    if (skip('==')) return left === atom();
    return skip('!=') ? left !== atom() : left;
  };
  const parseAnd = (): unknown => {
    let value = comparison();
    while (skip('&&')) {
      const right = comparison();
      value = isTrue(value) ? right : value;
    }
    return value;
  };
  const parseOr = (): unknown => {
    let value = parseAnd();
    while (skip('||')) {
      const right = parseAnd();
      value = isTrue(value) ? value : right;
    }
    return value;
  };

  const value = parseOr();
  if (at < tokens.length) throw new Error(`"${tokens.slice(at).join(' ')}" in "${expression}" is not supported.`);
  return value;
}

/** Replaces the expressions in the text by their values. */
export function interpolate(text: string, context: ExpressionContext): string {
  return text.replaceAll(/\$\{\{(.+?)\}\}/g, (_, expression: string) => String(evaluate(expression, context)));
}

export const isTrue = (value: unknown): boolean => value !== '' && value !== false;
