import { parseDocument } from 'yaml';

export interface FrontMatter {
  readonly title: string | undefined;
  readonly description: string | undefined;
}

const frontMatter = /^\uFEFF?---[ \t]*\r?\n(.*?\n)??---[ \t]*(?:\r?\n|$)/s;
const maxFrontMatterLength = 10_000;

/** Reads title and description of a document; invalid front matter counts as plain text. */
export function readFrontMatter(content: string): FrontMatter {
  const [, text = ''] = frontMatter.exec(content.slice(0, maxFrontMatterLength)) ?? [];
  const document = parseDocument(text, { prettyErrors: false });
  const read = (key: string): string | undefined => {
    const value: unknown = document.errors.length === 0 && document.has(key) ? document.get(key) : undefined;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  return { title: read('title'), description: read('description') };
}
