/** Markup, as opposed to a text that may only look like it. */
export interface Html {
  readonly markup: string;
}

type Part = string | Html | readonly Html[];

/** Markup with its values put in; a value that is a text is shown as it is, whatever it holds. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = literals.reduce((before, literal, index) => before + toMarkup(parts[index - 1]) + literal);
  return { markup };
}

/** Markup that this program wrote itself. */
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
      // Control characters are no characters of HTML; line breaks and tabs are.
      .replace(/[^\P{Cc}\t\n\r]/gu, '\uFFFD')
  );
}
