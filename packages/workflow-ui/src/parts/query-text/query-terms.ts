/** A word of a query text: `etl`, `label:etl` or `-label:etl`. */
export interface QueryTerm {
  /** Empty for a word that stands alone. */
  readonly key: string;
  readonly value: string;
  readonly isExcluded: boolean;
}

const termPattern = /(-?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/giy;

/** Returns the words of a query text. Quotes keep blanks in a value. */
export function parseTerms(text: string): readonly QueryTerm[] {
  const terms: QueryTerm[] = [];
  let rest = text.trimStart();
  while (rest !== '') {
    termPattern.lastIndex = 0;
    const match = termPattern.exec(rest);
    if (match === null) break;
    const [whole, minus = '', key = '', quoted, plain = ''] = match;
    terms.push({ key: key.toLowerCase(), value: quoted ?? plain, isExcluded: minus === '-' });
    rest = rest.slice(whole.length).trimStart();
  }
  return terms;
}

export function formatTerms(terms: readonly QueryTerm[]): string {
  return terms.map(formatTerm).join(' ');
}

export function formatTerm({ key, value, isExcluded }: QueryTerm): string {
  const written = /\s|^$/.test(value) ? `"${value}"` : value;
  return `${isExcluded ? '-' : ''}${key === '' ? '' : `${key}:`}${written}`;
}

/** Replaces the values of a key in the text; the rest stays. */
export function withValues(text: string, key: string, values: readonly string[]): string {
  const others = parseTerms(text).filter((term) => term.key !== key || term.isExcluded);
  return formatTerms([...others, ...values.map((value) => ({ key, value, isExcluded: false }))]);
}

/** Returns the values of a key in the text. */
export function valuesOf(text: string, key: string): readonly string[] {
  return parseTerms(text).flatMap((term) => (term.key === key && !term.isExcluded ? [term.value] : []));
}

/** Joins the words that stand alone to one text. */
export function freeText(terms: readonly QueryTerm[]): string | undefined {
  const words = terms.flatMap(({ key, value }) => (key === '' ? [value] : []));
  return words.length === 0 ? undefined : words.join(' ');
}

/** Returns the required and the excluded labels, in the form of the API. */
export function labelFilter(terms: readonly QueryTerm[]): string | undefined {
  const labels = terms.flatMap(({ key, value, isExcluded }) =>
    key === 'label' && value !== '' ? [`${isExcluded ? '!' : ''}${value}`] : [],
  );
  return labels.length === 0 ? undefined : labels.join(',');
}
