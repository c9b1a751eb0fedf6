import { Button, CopyButton, Dialog } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import type { ReactElement, ReactNode } from 'react';
import { useAppMessages } from '../text/app-messages';
import messages from './messages.json';
import styles from './shown-once.module.css';

const useShownOnceMessages = defineMessages(messages);

export interface ShownOnceProps {
  readonly title: string;
  /** The name of the credential. */
  readonly label: string;
  readonly credential: string;
  /** Explains how it is used. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** Shows a credential, which cannot be shown again. */
export function ShownOnce({ title, label, credential, children, onClose }: ShownOnceProps): ReactElement {
  const t = useShownOnceMessages();
  const app = useAppMessages();
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      closeLabel={app('app.close')}
      actions={
        <Button variant="primary" onPress={onClose}>
          {t('shownOnce.done')}
        </Button>
      }
    >
      <p>{t('shownOnce.text')}</p>
      <CopiedText text={credential} label={label} />
      {children}
    </Dialog>
  );
}

export interface CopiedTextProps {
  readonly text: string;
  readonly label: string;
}

/** A text of one or several lines with a button that copies it. */
export function CopiedText({ text, label }: CopiedTextProps): ReactElement {
  const t = useShownOnceMessages();
  return (
    <div className={styles.text}>
      <pre role="region" aria-label={label} tabIndex={0}>
        {text}
      </pre>
      <CopyButton text={text} label={t('shownOnce.copy', { label })} />
    </div>
  );
}
