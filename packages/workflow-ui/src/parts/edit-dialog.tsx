import { Button, Dialog } from '@weir/ui-kit';
import { useSentence, type Failure } from '@weir/ui-kit/app';
import { useId, type ReactElement, type ReactNode } from 'react';
import { useAppMessages } from './text/app-messages';
import styles from './screen-body.module.css';

export interface EditDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  /** Submits the form, and shows why the last attempt was refused. */
  readonly action: {
    readonly mutate: () => void;
    readonly isPending: boolean;
    readonly error: Failure | null;
  };
  readonly onClose: () => void;
  /** The fields of the form. */
  readonly children: ReactNode;
}

/** A form in a window over the page. */
export function EditDialog(props: EditDialogProps): ReactElement {
  const { title, submitLabel, action, onClose, children } = props;
  const app = useAppMessages();
  const form = useId();
  const problem = useSentence(action.error);
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      closeLabel={app('app.close')}
      actions={
        <>
          <Button onPress={onClose}>{app('app.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" isPending={action.isPending}>
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
          action.mutate();
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
