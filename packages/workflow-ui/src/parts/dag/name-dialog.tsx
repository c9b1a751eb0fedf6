import { Button, Dialog, TextField } from '@weir/ui-kit';
import { useFailureProps, type Failure } from '@weir/ui-kit/app';
import { useId, useState, type ReactElement } from 'react';
import { useAppMessages } from '../text/app-messages';
import { useDagMessages } from './dag-messages';

export interface NameDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly initialName?: string;
  readonly note?: string | undefined;
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  readonly onSubmit: (name: string) => void;
  readonly onClose: () => void;
}

/** The server's rule for names of DAG files. */
const allowed = /^[\w.-]{1,40}$/;

/** Asks for the name of a DAG. */
export function NameDialog(props: NameDialogProps): ReactElement {
  const { title, submitLabel, initialName = '', note, isBusy, failure, onSubmit, onClose } = props;
  const t = useDagMessages();
  const app = useAppMessages();
  const form = useId();
  const [name, setName] = useState(initialName);
  const [sent, setSent] = useState<string>();
  const isAllowed = allowed.test(name);
  const refusal = useFailureProps(failure).message;
  const error =
    name !== '' && !isAllowed ? t('dag.name.rule') : failure !== null && name === sent ? refusal : undefined;
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      closeLabel={app('app.close')}
      actions={
        <>
          <Button onPress={onClose}>{t('dag.cancel')}</Button>
          <Button
            type="submit"
            form={form}
            variant="primary"
            isPending={isBusy}
            isDisabled={!isAllowed || name === initialName}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isAllowed || name === initialName) return;
          setSent(name);
          onSubmit(name);
        }}
      >
        <TextField
          autoFocus
          validationBehavior="aria"
          label={t('dag.name')}
          description={note}
          error={error}
          value={name}
          onChange={setName}
        />
      </form>
    </Dialog>
  );
}
