import { Button, CopyButton, Dialog, Facts, TextField, useToast } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import { apiAddress } from '../../api/api-address';
import type { Schemas } from '../../api/client';
import { useAppMessages } from '../text/app-messages';
import { changedValues, initialTexts, readForm } from '../schema-form/form-values';
import { readSchemaFields } from '../schema-form/schema-fields';
import { SchemaForm } from '../schema-form/schema-form';
import { ProfileField } from './profile-field';
import { RecentInputs } from './recent-inputs';
import { toCommands } from './start-commands';
import { useFollowRun, useParamsSchema, useStart, type StartRequest } from './start-data';
import { useStartMessages } from './start-messages';
import styles from './start-dialog.module.css';

export interface StartDialogProps {
  readonly fileName: string;
  /** Name of the DAG. */
  readonly name: string;
  readonly onClose: () => void;
}

/** Starts a DAG with values for its parameters, and follows the run. */
export function StartDialog({ fileName, name, onClose }: StartDialogProps): ReactElement {
  const t = useStartMessages();
  const app = useAppMessages();
  const schema = useParamsSchema(fileName);
  return (
    <Dialog title={t('start.title', { name })} isOpen onClose={onClose} closeLabel={app('app.close')}>
      <QueryPanel query={schema}>{(data) => <StartForm {...{ fileName, name, onClose }} {...data} />}</QueryPanel>
    </Dialog>
  );
}

type StartFormProps = StartDialogProps & Schemas['DAGParamsSchemaResponse'];

function StartForm({ fileName, name, schema, runConfig, onClose }: StartFormProps): ReactElement {
  const t = useStartMessages();
  const toast = useToast();
  const follow = useFollowRun();
  const { mutate, isPending, error } = useStart();
  const fields = useMemo(() => readSchemaFields(schema), [schema]);
  const [texts, setTexts] = useState(() => initialTexts(fields));
  const [isChecked, setIsChecked] = useState(false);
  const [runId, setRunId] = useState('');
  const [labels, setLabels] = useState('');
  const [profile, setProfile] = useState<string | undefined>();
  const isFixed = runConfig?.disableParamEdit === true;
  // What is missing in a form that takes no values is for the server to refuse.
  const { values, problems } = isFixed ? { values: {}, problems: {} } : readForm(fields, texts);
  const request = toRequest({ fileName, runId, labels, profile, params: changedValues(fields, values) });
  const isRunIdWrong = runId !== '' && !/^[\w-]{1,64}$/.test(runId);
  const submit = (): void => {
    setIsChecked(true);
    if (Object.keys(problems).length > 0 || isRunIdWrong) return;
    mutate(request, {
      onSuccess: ({ dagRunId }) => {
        onClose();
        toast({ message: t('start.started', { name }) });
        follow({ name, dagRunId });
      },
    });
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, select, [type="submit"]')?.focus(), []);
  return (
    <form
      ref={form}
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fields.length === 0 ? <p>{t('start.noParams')}</p> : null}
      {isFixed && fields.length > 0 ? (
        <>
          <p>{t('start.fixed')}</p>
          <Facts facts={fields.map((field) => ({ name: field.label, value: texts[field.name] ?? '' }))} />
        </>
      ) : null}
      {isFixed || fields.length === 0 ? null : (
        <>
          <RecentInputs fileName={fileName} onChoose={(given) => setTexts(initialTexts(fields, given))} />
          <SchemaForm fields={fields} texts={texts} onChange={setTexts} problems={isChecked ? problems : {}} />
        </>
      )}
      <ProfileField profile={profile} onChange={setProfile} />
      <RunFields
        {...{ runId, setRunId, labels, setLabels, isRunIdWrong }}
        hasRunId={runConfig?.disableRunIdEdit !== true}
      />
      <Commands request={request} />
      {error === null ? null : (
        <p role="alert" className={styles.error}>
          {error.message}
        </p>
      )}
      <div className={styles.actions}>
        <Button onPress={onClose}>{t('start.cancel')}</Button>
        <Button variant="primary" type="submit" isPending={isPending}>
          {t('start.start')}
        </Button>
      </div>
    </form>
  );
}

interface RunFieldsProps {
  readonly hasRunId: boolean;
  readonly runId: string;
  readonly setRunId: (runId: string) => void;
  readonly isRunIdWrong: boolean;
  readonly labels: string;
  readonly setLabels: (labels: string) => void;
}

function RunFields({ hasRunId, runId, setRunId, isRunIdWrong, labels, setLabels }: RunFieldsProps): ReactElement {
  const t = useStartMessages();
  return (
    <details className={styles.fold}>
      <summary>{t(hasRunId ? 'start.more' : 'start.labels')}</summary>
      <div className={styles.form}>
        {hasRunId ? (
          <TextField
            label={t('start.runId')}
            description={t('start.runId.hint')}
            error={isRunIdWrong ? t('start.runId.wrong') : undefined}
            validationBehavior="aria"
            value={runId}
            onChange={setRunId}
          />
        ) : null}
        <TextField label={t('start.labels')} description={t('start.labels.hint')} value={labels} onChange={setLabels} />
      </div>
    </details>
  );
}

function Commands({ request }: { readonly request: StartRequest }): ReactElement {
  const t = useStartMessages();
  const { curl, cli } = toCommands(apiAddress, request);
  return (
    <details className={styles.fold}>
      <summary>{t('start.commands')}</summary>
      {[
        // The command line has no option for labels.
        ...(request.body.labels === undefined ? [{ text: cli, label: t('start.copyCli') }] : []),
        { text: curl, label: t('start.copyCurl') },
      ].map(({ text, label }) => (
        <div key={label} className={styles.command}>
          <pre tabIndex={0} role="region" aria-label={label}>
            {text}
          </pre>
          <CopyButton text={text} label={label} />
        </div>
      ))}
    </details>
  );
}

interface RequestParts {
  readonly fileName: string;
  readonly runId: string;
  readonly labels: string;
  readonly profile: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

function toRequest({ fileName, runId, labels, profile, params }: RequestParts): StartRequest {
  const list = labels.split(',').flatMap((label) => (label.trim() === '' ? [] : [label.trim()]));
  return {
    fileName,
    body: {
      ...(Object.keys(params).length === 0 ? {} : { params: JSON.stringify(params) }),
      ...(runId === '' ? {} : { dagRunId: runId }),
      ...(profile === undefined ? {} : { profile }),
      ...(list.length === 0 ? {} : { labels: list }),
    },
  };
}
