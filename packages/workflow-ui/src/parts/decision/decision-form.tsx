import { Button, TextAreaField, useToast } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { initialTexts, readForm } from '../schema-form/form-values';
import { readSchemaFields } from '../schema-form/schema-fields';
import { SchemaForm } from '../schema-form/schema-form';
import { schemaOf, type Decision } from './decision';
import { useDecide } from './decision-data';
import messages from './messages.json';
import styles from './decision-form.module.css';

const useDecisionMessages = defineMessages(messages);

export interface DecisionFormProps {
  readonly decision: Decision;
  /** The reason why the caller may not decide, as a sentence; missing where it may. */
  readonly refusal?: string | undefined;
  readonly onDecided?: () => void;
}

/** The prompt of an approval or a human task, its fields, and the ways to decide. */
export function DecisionForm({ decision, refusal, onDecided }: DecisionFormProps): ReactElement {
  const { prompt = '', step } = decision;
  const t = useDecisionMessages();
  const toast = useToast();
  const { mutate, isPending, error } = useDecide(decision, ({ kind }) => {
    toast({ message: t(`decision.done.${kind}`, { step }) });
    onDecided?.();
  });
  const fields = readSchemaFields(schemaOf(decision));
  const [texts, setTexts] = useState(() => initialTexts(fields));
  const [isChecked, setIsChecked] = useState(false);
  const [reason, setReason] = useState<string | undefined>();
  const { values, problems } = readForm(fields, texts);
  const submit = (action: 'approve' | 'complete' | 'push-back'): void => {
    setIsChecked(true);
    if (Object.keys(problems).length === 0) mutate({ kind: action, values });
  };
  return (
    <form className={styles.form} noValidate onSubmit={(event) => event.preventDefault()}>
      {prompt === '' ? null : <p className={styles.prompt}>{prompt}</p>}
      <SchemaForm fields={fields} texts={texts} onChange={setTexts} problems={isChecked ? problems : {}} />
      {reason === undefined ? null : (
        <TextAreaField
          label={t(decision.kind === 'human_task' ? 'decision.comment' : 'decision.reason')}
          rows={2}
          autoFocus
          value={reason}
          onChange={setReason}
        />
      )}
      {error === null ? null : (
        <p role="alert" className={styles.error}>
          {error.message}
        </p>
      )}
      <div className={styles.actions}>
        <DecisionButtons
          {...{ decision, refusal, submit, reason }}
          isBusy={isPending}
          onReason={setReason}
          onPushBack={() =>
            reason === undefined ? submit('push-back') : mutate({ kind: 'push-back', values: {}, comment: reason })
          }
          onReject={() => mutate({ kind: 'reject', reason: reason ?? '' })}
        />
      </div>
    </form>
  );
}

interface DecisionButtonsProps {
  readonly decision: Decision;
  readonly refusal: string | undefined;
  readonly isBusy: boolean;
  /** The reason of a rejection, or the comment of a push-back, that is being written. */
  readonly reason: string | undefined;
  readonly onReason: (reason: string | undefined) => void;
  readonly submit: (action: 'approve' | 'complete') => void;
  readonly onPushBack: () => void;
  readonly onReject: () => void;
}

function DecisionButtons(props: DecisionButtonsProps): ReactElement {
  const { decision, refusal, isBusy, reason, onReason, submit, onPushBack, onReject } = props;
  const t = useDecisionMessages();
  const { kind, step, rewindTo } = decision;
  const common = { disabledReason: refusal, isDisabled: isBusy };
  if (reason !== undefined) {
    return (
      <>
        {kind === 'human_task' ? (
          <Button variant="primary" {...common} onPress={onPushBack}>
            {t('decision.pushBack', { step: rewindTo ?? step })}
          </Button>
        ) : (
          <Button variant="danger" {...common} onPress={onReject}>
            {t('decision.rejectNow')}
          </Button>
        )}
        <Button onPress={() => onReason(undefined)}>{t('decision.back')}</Button>
      </>
    );
  }
  if (kind === 'human_task') {
    return (
      <>
        <Button variant="primary" {...common} onPress={() => submit('complete')}>
          {t('decision.complete')}
        </Button>
        {rewindTo === undefined ? null : (
          <Button {...common} onPress={() => onReason('')}>
            {t('decision.sendBack', { step: rewindTo })}
          </Button>
        )}
      </>
    );
  }
  return (
    <>
      <Button variant="primary" {...common} onPress={() => submit('approve')}>
        {t('decision.approve')}
      </Button>
      <Button {...common} onPress={onPushBack}>
        {t('decision.pushBack', { step: rewindTo ?? step })}
      </Button>
      <Button {...common} onPress={() => onReason('')}>
        {t('decision.reject')}
      </Button>
    </>
  );
}
