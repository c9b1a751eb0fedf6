import { Button, Dialog } from '@weir/ui-kit';
import { useId, type ReactElement, type ReactNode } from 'react';
import { useAppMessages } from '../app/text/app-messages';
import styles from './screen-body.module.css';

export interface EditDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly isPending: boolean;
  /** Why the last attempt was refused. */
  readonly problem: string | undefined;
  /** Fields. */
  readonly children: ReactNode;
}

/** A form in a window over the page. */
export function EditDialog(props: EditDialogProps): ReactElement {
  const { title, submitLabel, onSubmit, onClose, isPending, problem, children } = props;
  const app = useAppMessages();
  const form = useId();
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      closeLabel={app('app.close')}
      actions={
        <>
          <Button onPress={onClose}>{app('app.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" isPending={isPending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        {problem === undefined ? null : (
          <p role="alert" className={styles.error}>
            {problem}
          </p>
        )}
      </form>
    </Dialog>
  );
}
