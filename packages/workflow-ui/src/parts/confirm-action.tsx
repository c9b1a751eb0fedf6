import { ConfirmDialog } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useAppMessages } from './text/app-messages';
import { useAction, type ActionOptions } from './use-action';

export interface ConfirmActionProps<Result> extends Omit<ActionOptions<void, Result>, 'saysFailure'> {
  readonly title: string;
  /** Names what will be lost, and the number of objects. */
  readonly message: string;
  readonly confirmLabel: string;
  readonly onClose: () => void;
}

/** Asks before an action that cannot be undone, performs it, and closes after its success. */
export function ConfirmAction<Result>(props: ConfirmActionProps<Result>): ReactElement {
  const { title, message, confirmLabel, onClose, onDone, ...action } = props;
  const app = useAppMessages();
  const { mutate, isPending } = useAction({
    ...action,
    onDone: (result: Result) => {
      onClose();
      onDone?.(result);
    },
  });
  return (
    <ConfirmDialog
      {...{ title, message, confirmLabel, onClose }}
      isOpen
      isBusy={isPending}
      onConfirm={() => mutate()}
      closeLabel={app('app.close')}
      cancelLabel={app('app.cancel')}
    />
  );
}
