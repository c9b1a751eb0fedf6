import { Copy, Link, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button, IconButton } from '../button/button';
import { useToast } from '../toast/toasts';
import { copyText } from '../copy-text';
import type { LineRange } from './line-range';
import type { LogLine, LogSource } from './log-source';
import type { LogTexts } from './log-texts';
import { toVisible } from './visible-text';
import styles from './log-view.module.css';

export interface LogSelectionBarProps {
  readonly range: LineRange;
  readonly source: LogSource;
  readonly texts: LogTexts;
  readonly onClear: () => void;
}

/** The actions on the selected lines. */
export function LogSelectionBar({ range, source, texts, onClear }: LogSelectionBarProps): ReactElement {
  const showToast = useToast();
  const copy = async (text: () => Promise<string>): Promise<void> => {
    try {
      await copyText(await text());
      showToast({ message: texts.copied });
    } catch {
      showToast({ tone: 'failed', message: texts.copyFailed });
    }
  };
  const readText = async (): Promise<string> => {
    const lines = await readLines(source, range);
    return lines.map(({ text }) => withoutColours(toVisible(text))).join('\n');
  };
  return (
    <div role="group" aria-label={texts.selected(range.first, range.last)} className={styles.selection}>
      <span>{texts.selected(range.first, range.last)}</span>
      <Button variant="quiet" onPress={() => void copy(readText)}>
        <Copy aria-hidden size={14} /> {texts.copyLines}
      </Button>
      <Button variant="quiet" onPress={() => void copy(() => Promise.resolve(window.location.href))}>
        <Link aria-hidden size={14} /> {texts.copyLink}
      </Button>
      <IconButton icon={<X aria-hidden size={16} />} label={texts.clearSelection} onPress={onClear} />
    </div>
  );
}

function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex -- It is what is removed.
  return text.replace(/\x1b\[[\d;<-?]*m/g, '');
}

/** Limits the lines that are copied at once. */
const maxLines = 10_000;

/** Reads all lines of a range, in as many parts as needed. */
async function readLines(source: LogSource, { first, last }: LineRange): Promise<readonly LogLine[]> {
  const end = Math.min(last, first + maxLines - 1);
  const lines: LogLine[] = [];
  const { signal } = new AbortController();
  while (first + lines.length <= end) {
    const line = first + lines.length;
    const part = await source.read({ line }, Math.min(1000, end - line + 1), signal);
    if (part.lines.length === 0) break;
    lines.push(...part.lines);
  }
  return lines;
}
