import { EmptyState } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { Suspense, type ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { JsonTree } from '../json-tree/json-tree';
import type { RunAddress } from '../run/run-address';
import { useRunMessages } from '../run/run-messages';
import { artifactAddress, useArtifactPreview } from './artifact-data';
import { parseCsv } from './parse-csv';
import styles from './artifacts.module.css';
import { lazyPart } from '../lazy-part';

const MarkdownText = lazyPart(() => import('./markdown-text'), 'MarkdownText');

const maxCsvRows = 500;

export interface ArtifactPreviewProps {
  readonly address: RunAddress;
  readonly file: string;
}

/** Shows the content of a file, if that is possible. */
export function ArtifactPreview({ address, file }: ArtifactPreviewProps): ReactElement {
  const t = useRunMessages();
  const query = useArtifactPreview(address, file);
  const source = artifactAddress(address, file);
  return (
    <QueryPanel query={query}>
      {(preview) => (
        <section aria-labelledby="selected-artifact" className={styles.preview}>
          <header className={styles.head}>
            <h2 id="selected-artifact">{preview.name}</h2>
            <a href={source} download>
              {t('run.artifacts.download')}
            </a>
          </header>
          {preview.truncated ? <p className={styles.muted}>{t('run.artifacts.truncated')}</p> : null}
          <Content preview={preview} source={source} />
        </section>
      )}
    </QueryPanel>
  );
}

interface ContentProps {
  readonly preview: Schemas['ArtifactPreviewResponse'];
  readonly source: string;
}

function Content({ preview, source }: ContentProps): ReactElement {
  const t = useRunMessages();
  const { kind, name, content = '', tooLarge, mimeType } = preview;
  if (tooLarge) return <EmptyState title={t('run.artifacts.tooLarge')} />;
  switch (kind) {
    case 'image':
      return <img src={source} alt={name} className={styles.image} />;
    case 'markdown':
      return (
        <Suspense>
          <MarkdownText text={content} />
        </Suspense>
      );
    case 'html':
      // The sandbox executes nothing and has an origin of its own: it reaches neither the page nor the session.
      return <iframe title={name} sandbox="" srcDoc={content} className={styles.frame} />;
    case 'text':
      return <TextContent name={name} content={content} />;
    case 'binary':
      return <EmptyState title={t('run.artifacts.binary', { type: mimeType })} />;
  }
}

function TextContent({ name, content }: { readonly name: string; readonly content: string }): ReactElement {
  if (name.endsWith('.csv')) return <CsvTable name={name} content={content} />;
  const json = name.endsWith('.json') ? parseJson(content) : undefined;
  if (typeof json === 'object' && json !== null) return <JsonTree value={json} />;
  return (
    <pre tabIndex={0} role="region" aria-label={name} className={styles.text}>
      {content}
    </pre>
  );
}

function CsvTable({ name, content }: { readonly name: string; readonly content: string }): ReactElement {
  const [head = [], ...rows] = parseCsv(content, maxCsvRows);
  return (
    <div tabIndex={0} role="region" aria-label={name} className={styles.scroll}>
      <table className={styles.csv}>
        <thead>
          <tr>
            {head.map((text, column) => (
              <th key={column} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((text, column) => (
                <td key={column}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
