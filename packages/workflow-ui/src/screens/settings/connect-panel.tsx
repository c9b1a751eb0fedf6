import { useQuery } from '@tanstack/react-query';
import { Button, Facts, Panel, RadioField } from '@weir/ui-kit';
import { QueryPanel, unwrap, useSentence, type Failure } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { useAction } from '../../parts/use-action';
import { useSettingsMessages } from './settings-messages';
import styles from './settings.module.css';

type Access = Schemas['ClientConnection']['access'];

interface ConnectPanelProps {
  /** The query with which a chat client has opened the browser. */
  readonly request: string;
  readonly username: string;
}

/** Asks the person whether a chat client may use the tools with their rights. */
export function ConnectPanel({ request, username }: ConnectPanelProps): ReactElement {
  const t = useSettingsMessages();
  const query = useQuery<Schemas['ClientRequestResponse'], Failure>({
    queryKey: ['client-request', request],
    queryFn: ({ signal }) => unwrap(api.GET('/auth/connections/request', { params: { query: { request } }, signal })),
    retry: false,
  });
  return (
    <Panel title={t('settings.connect.title')} description={t('settings.connect.text')}>
      <QueryPanel query={query}>
        {(asked) => <Consent request={request} username={username} asked={asked} />}
      </QueryPanel>
    </Panel>
  );
}

interface ConsentProps extends ConnectPanelProps {
  readonly asked: Schemas['ClientRequestResponse'];
}

function Consent({ request, username, asked }: ConsentProps): ReactElement {
  const t = useSettingsMessages();
  const { clientName, documentAddress, redirectAddress, isLocal, resource, accesses } = asked;
  // What changes nothing is chosen unless the person wants more.
  const [access, setAccess] = useState<Access>('read');
  const { mutate, isPending, isSuccess, error } = useAction<Access | null, Schemas['ClientAnswerResponse']>({
    run: (answer) => unwrap(api.POST('/auth/connections', { body: { request, access: answer } })),
    changes: ['connections'],
    onDone: (answer) => location.assign(answer.redirectAddress),
    saysFailure: false,
  });
  const problem = useSentence(error);
  if (isSuccess) return <p role="status">{t('settings.connect.done')}</p>;
  return (
    <div className={styles.results}>
      <Facts
        facts={[
          {
            name: t('settings.connect.name'),
            value: (
              <>
                <strong>{clientName}</strong>{' '}
                <span className={styles.muted} title={documentAddress ?? undefined}>
                  (
                  {documentAddress === null
                    ? t('settings.connect.unchecked')
                    : t('settings.connect.described', { host: new URL(documentAddress).host })}
                  )
                </span>
              </>
            ),
          },
          {
            name: t('settings.connect.redirect'),
            value: (
              <span className={styles.wrapped}>
                {redirectAddress}
                {isLocal ? <span className={styles.muted}> ({t('settings.connect.local')})</span> : null}
              </span>
            ),
          },
          { name: t('settings.connect.resource'), value: <span className={styles.wrapped}>{resource}</span> },
          { name: t('settings.connect.user'), value: username },
        ]}
      />
      <RadioField
        label={t('settings.connect.access')}
        value={access}
        options={accesses.map((value) => ({
          value,
          label: t(`settings.connect.${value}`),
          description: t(`settings.connect.${value}.text`),
        }))}
        onChange={setAccess}
      />
      {problem === undefined ? null : (
        <p role="alert" className={styles.error}>
          {problem}
        </p>
      )}
      <div className={styles.buttons}>
        <Button variant="primary" isPending={isPending} onPress={() => mutate(access)}>
          {t('settings.connect.allow')}
        </Button>
        <Button isDisabled={isPending} onPress={() => mutate(null)}>
          {t('settings.connect.refuse')}
        </Button>
      </div>
    </div>
  );
}
