import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { useEffect, useMemo, useRef, type ReactElement } from 'react';
import styles from './docs.module.css';

export interface MarkdownProps {
  readonly text: string;
  /** The line whose block is shown and marked, from 1. */
  readonly line?: number | undefined;
}

/** Markdown as a page, without content that could execute or load something. */
export function Markdown({ text, line }: MarkdownProps): ReactElement {
  const page = useRef<HTMLDivElement>(null);
  const html = useMemo(() => toHtml(text, line), [text, line]);
  useEffect(() => {
    if (line !== undefined) page.current?.querySelector('[data-found]')?.scrollIntoView({ block: 'center' });
  }, [html, line]);
  return <div ref={page} className={styles.markdown} dangerouslySetInnerHTML={{ __html: html }} />;
}

function toHtml(text: string, line: number | undefined): string {
  const blocks = toBlocks(text).map(({ html, firstLine, lastLine }) =>
    line !== undefined && firstLine <= line && line <= lastLine ? `<div data-found="">${html}</div>` : html,
  );
  return DOMPurify.sanitize(blocks.join(''), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button'],
    FORBID_ATTR: ['style'],
  });
}

interface MarkdownBlock {
  readonly html: string;
  /** Lines are counted from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Returns the paragraphs, lists and other blocks of a text, with their lines. */
function toBlocks(text: string): readonly MarkdownBlock[] {
  let line = 1;
  return marked.lexer(text).map((token) => {
    const firstLine = line;
    line += token.raw.split('\n').length - 1;
    return { html: marked.parser([token]), firstLine, lastLine: Math.max(firstLine, line - 1) };
  });
}
