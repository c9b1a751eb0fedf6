/** Quotes a value for a Unix shell as one word that means nothing but itself. */
export function shellQuote(value: string): string {
  if (/^[A-Za-z0-9_/.:=@%+,-]+$/.test(value)) return value;
  return `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
