/** What `${{ … }}` may name: `vars`, `matrix`, `steps`, `github`. */
export type ExpressionContext = Readonly<Record<string, unknown>>;

/**
 * The value of one expression of a workflow file: paths, texts in quotes, `==`, `!=`, `&&`, `||` and brackets. Throws for
 * what it does not know, so that nothing is guessed.
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
      if (!skip(')')) throw new Error(`A bracket is open in "${expression}".`);
      return value;
    }
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    const [root = '', ...names] = token.split('.');
    if (!(root in context)) throw new Error(`The specs do not know "${token}" of "${expression}".`);
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
  if (at < tokens.length) throw new Error(`The specs do not know "${tokens.slice(at).join(' ')}" of "${expression}".`);
  return value;
}

/** The text with the values of the expressions in it. */
export function interpolate(text: string, context: ExpressionContext): string {
  return text.replaceAll(/\$\{\{(.+?)\}\}/g, (_, expression: string) => String(evaluate(expression, context)));
}

export const isTrue = (value: unknown): boolean => value !== '' && value !== false;
