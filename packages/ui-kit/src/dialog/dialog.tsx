import { X } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button, IconButton } from '../button/button';
import { classNames } from '../class-names';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly closeLabel: string;
  readonly children: ReactNode;
  /** Buttons, with the most likely one last. */
  readonly actions?: ReactNode;
  /** For content that needs room, such as a text with code. */
  readonly isWide?: boolean;
}

/** A window over the page; Escape and a press outside close it. */
export function Dialog(props: DialogProps): ReactElement {
  const { title, isOpen, onClose, closeLabel, children, actions, isWide = false } = props;
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      className={styles.scrim ?? ''}
    >
      <Modal className={classNames(styles.modal, isWide && styles.wide)}>
        <AriaDialog className={styles.dialog ?? ''}>
          <header className={styles.header}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <IconButton icon={<X aria-hidden size={16} />} label={closeLabel} onPress={onClose} />
          </header>
          <div className={styles.body}>{children}</div>
          {actions === undefined ? null : <footer className={styles.actions}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface ConfirmDialogProps extends Omit<DialogProps, 'children' | 'actions'> {
  /** Names what will be lost, and the number of objects. */
  readonly message: string;
  readonly confirmLabel: string;
  readonly cancelLabel: string;
  readonly onConfirm: () => void;
  readonly isBusy?: boolean;
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactElement {
  const { message, confirmLabel, cancelLabel, onConfirm, isBusy = false, ...dialog } = props;
  return (
    <Dialog
      {...dialog}
      actions={
        <>
          <Button onPress={dialog.onClose}>{cancelLabel}</Button>
          <Button variant="danger" isDisabled={isBusy} onPress={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <p>{message}</p>
    </Dialog>
  );
}
