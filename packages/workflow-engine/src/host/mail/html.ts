/** Trusted markup, as opposed to text. */
export interface Html {
  readonly markup: string;
}

type Part = string | Html | readonly Html[];

/** Builds markup from a template; strings among its values are escaped. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = literals.reduce((before, literal, index) => before + toMarkup(parts[index - 1]) + literal);
  return { markup };
}

/** Marks a literal of this program as markup. */
export function raw(markup: string): Html {
  return { markup };
}

function toMarkup(part: Part | undefined): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escape(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return (
    text
      .replace(/[&<>"']/g, (character) => entities[character] ?? '')
      // HTML allows no control characters but line breaks and tabs.
      .replace(/[^\P{Cc}\t\n\r]/gu, '\uFFFD')
  );
}
