import DOMPurify from 'dompurify';
import { marked } from 'marked';
import type { ReactElement } from 'react';
import styles from './docs.module.css';

/** Markdown as a page; what could run or load something is taken out of it. */
export function Markdown({ text }: { readonly text: string }): ReactElement {
  const html = DOMPurify.sanitize(marked.parse(text, { async: false }), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button'],
    FORBID_ATTR: ['style'],
  });
  return <div className={styles.markdown} dangerouslySetInnerHTML={{ __html: html }} />;
}
