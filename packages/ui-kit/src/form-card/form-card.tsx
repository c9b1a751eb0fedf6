import type { ReactElement, ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Form } from 'react-aria-components/Form';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Mark } from '../mark/mark';
import styles from './form-card.module.css';

interface FormPageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page that is one form, below the mark of the product. */
export function FormPage({ title, children }: FormPageProps): ReactElement {
  return (
    <main className={styles.page}>
      <title>{title}</title>
      <div className={styles.card}>
        <h1 className={styles.title}>
          <Mark /> {title}
        </h1>
        {children}
      </div>
    </main>
  );
}

interface FormDialogProps extends FormPageProps {
  readonly text: string;
}

/** A form over a waiting page; it cannot be closed. */
export function FormDialog({ title, text, children }: FormDialogProps): ReactElement {
  return (
    <ModalOverlay isOpen isKeyboardDismissDisabled className={styles.scrim ?? ''}>
      <Modal className={styles.card ?? ''}>
        <Dialog className={styles.dialog ?? ''}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <p>{text}</p>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface CardFormProps {
  readonly onSubmit: () => void;
  /** The reason why the last attempt was refused. */
  readonly error?: string | undefined;
  /** The fields of the form. */
  readonly children: ReactNode;
  readonly submit: ReactNode;
}

/** The form of such a page or dialog. */
export function CardForm({ onSubmit, error, children, submit }: CardFormProps): ReactElement {
  return (
    <Form
      className={styles.form ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {error === undefined ? null : (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      {submit}
    </Form>
  );
}
