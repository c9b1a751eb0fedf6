import { Button, CopyButton, Dialog, useToast } from '@weir/ui-kit';
import { defineMessages, unwrap, useAppMessages } from '@weir/ui-kit/app';
import { Download } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { addressOf, api, proxyAddress } from '../../../api/client';
import { readSessionPage } from '../../../api/session-page';
import { toQuery, type RowChoices } from '../../../api/reward-choices';
import { exportCommand, previewCommand } from './export-commands';
import messages from './messages.json';
import styles from './export.module.css';

const useMessages = defineMessages(messages);

export interface ExportMenuProps {
  readonly sessionId: string;
  readonly choices: RowChoices;
}

/** Takes what the page shows along, as files or as commands. */
export function ExportMenu({ sessionId, choices }: ExportMenuProps): ReactElement {
  const t = useMessages();
  const app = useAppMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Download aria-hidden size={16} />
        {t('export.open')}
      </Button>
      <Dialog title={t('export.title')} isOpen={isOpen} onClose={() => setOpen(false)} closeLabel={app('app.close')}>
        <div className={styles.content}>
          <p>{t('export.text')}</p>
          <Files sessionId={sessionId} choices={choices} />
          <Command title={t('export.preview')} text={previewCommand(previewAddress(sessionId, choices, 'json'))} />
          <Command title={t('export.export')} text={exportCommand(proxyAddress, sessionId, choices)} />
        </div>
      </Dialog>
    </>
  );
}

function Files({ sessionId, choices }: ExportMenuProps): ReactElement {
  const t = useMessages();
  const toast = useToast();
  const save = (name: string, make: () => Promise<Blob>): void => {
    make().then(
      (blob) => saveFile(name, blob),
      (error: unknown) => toast({ message: t('export.failed', { message: String(error) }), tone: 'failed' }),
    );
  };
  const link = (format: 'json' | 'safetensors'): ReactElement => (
    <a
      key={format}
      href={previewAddress(sessionId, choices, format)}
      download={`${sessionId}.${format}`}
      className={styles.file}
    >
      {t(`export.${format}`)}
    </a>
  );
  return (
    <div className={styles.files}>
      {link('json')}
      {link('safetensors')}
      <Button onPress={() => save(`${sessionId}.jsonl`, () => readExportLines(sessionId, choices))}>
        {t('export.jsonl')}
      </Button>
      <Button onPress={() => save(`${sessionId}.html`, () => readSessionPage(sessionId, choices))}>
        {t('export.html')}
      </Button>
    </div>
  );
}

function Command({ title, text }: { readonly title: string; readonly text: string }): ReactElement {
  const t = useMessages();
  return (
    <section>
      <h3 className={styles.head}>
        {title}
        <CopyButton text={text} label={`${t('export.copy')}: ${title}`} />
      </h3>
      <pre tabIndex={0} aria-label={title} className={styles.command}>
        {text}
      </pre>
    </section>
  );
}

/** The address of a preview. */
function previewAddress(sessionId: string, choices: RowChoices, format: 'json' | 'safetensors'): string {
  return addressOf('/rl/sessions/{sessionId}/export_preview', {
    path: { sessionId },
    query: { ...toQuery(choices), style: choices.style, format },
  });
}

/** Has the browser save a file. */
function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The rows of an export as JSON lines, one for each row. */
async function readExportLines(sessionId: string, choices: RowChoices): Promise<Blob> {
  const query = { ...toQuery(choices), style: choices.style, format: 'json' as const };
  const params = { path: { sessionId }, query };
  const { interactions } = await unwrap(api.GET('/rl/sessions/{sessionId}/export_preview', { params }));
  const lines = Object.values(interactions).map((row) => `${JSON.stringify({ session_id: sessionId, ...row })}\n`);
  return new Blob(lines, { type: 'application/jsonl' });
}
