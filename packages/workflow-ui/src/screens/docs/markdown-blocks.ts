import { marked } from 'marked';

export interface MarkdownBlock {
  readonly html: string;
  /** From 1. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** The paragraphs, lists and other blocks of a text, with the lines that they stand in. */
export function toBlocks(text: string): readonly MarkdownBlock[] {
  let line = 1;
  return marked.lexer(text).map((token) => {
    const firstLine = line;
    line += token.raw.split('\n').length - 1;
    return { html: marked.parser([token]), firstLine, lastLine: Math.max(firstLine, line - 1) };
  });
}
