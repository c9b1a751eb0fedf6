import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { useMemo, type ReactElement } from 'react';
import styles from './artifacts.module.css';

/** Renders Markdown of a file that anybody may have written: active content is removed. */
export function MarkdownText({ text }: { readonly text: string }): ReactElement {
  const html = useMemo(
    () =>
      DOMPurify.sanitize(marked.parse(text, { async: false }), {
        FORBID_TAGS: ['style', 'form', 'input', 'button'],
        FORBID_ATTR: ['style', 'id', 'class'],
      }),
    [text],
  );
  return <div className={styles.markdown} dangerouslySetInnerHTML={{ __html: html }} />;
}
