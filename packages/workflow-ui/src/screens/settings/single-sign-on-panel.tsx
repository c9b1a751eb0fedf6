import { useQuery } from '@tanstack/react-query';
import { Button, Panel, StatusName, Table, type StatusKind, type TableColumn } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { CopiedText } from '../../parts/shown-once/shown-once';
import { useAction } from '../../parts/use-action';
import { OidcTestDialog } from './oidc-test-dialog';
import { useSettingsMessages } from './settings-messages';
import styles from './settings.module.css';

type Tested = Schemas['OIDCTestResponse'];
type Check = Schemas['OIDCCheck'];

/** Tests whether people can sign in with an identity provider, before anybody depends on that. */
export function SingleSignOnPanel(): ReactElement {
  const t = useSettingsMessages();
  const [tested, setTested] = useState<Tested | undefined>();
  const [isEditing, setIsEditing] = useState(false);
  const { data: state } = useQuery<Schemas['SignInState'], Failure>({
    queryKey: ['sign-in-state'],
    queryFn: ({ signal }) => unwrap(api.GET('/auth/state', { signal })),
  });
  const providers = state?.providers.filter(({ kind }) => kind === 'oidc') ?? [];
  const { mutate, isPending, variables } = useAction({
    run: (provider: string) => unwrap(api.POST('/auth/oidc/test', { body: { provider } })),
    changes: [],
    onDone: setTested,
  });
  return (
    <Panel title={t('settings.oidc')} description={t('settings.oidc.text')}>
      <div className={styles.results}>
        {providers.length > 0 ? null : <p className={styles.muted}>{t('settings.oidc.off')}</p>}
        <div className={styles.buttons}>
          {providers.map(({ id, label }) => (
            <Button key={id} isPending={isPending && variables === id} onPress={() => mutate(id)}>
              {providers.length === 1 ? t('settings.oidc.test') : t('settings.oidc.testOne', { label })}
            </Button>
          ))}
          <Button onPress={() => setIsEditing(true)}>{t('settings.oidc.testOther')}</Button>
        </div>
        {tested === undefined ? null : <TestResult tested={tested} />}
      </div>
      {isEditing ? <OidcTestDialog onTested={setTested} onClose={() => setIsEditing(false)} /> : null}
    </Panel>
  );
}

function TestResult({ tested }: { readonly tested: Tested }): ReactElement {
  const t = useSettingsMessages();
  const { success, issuer, redirectAddress, checks } = tested;
  const columns: readonly TableColumn<Check>[] = [
    { id: 'name', name: t('settings.oidc.check'), isRowHeader: true, render: ({ name }) => t(checkNames[name]) },
    { id: 'result', name: t('settings.oidc.result'), render: (check) => <CheckResult check={check} /> },
    {
      id: 'message',
      name: t('settings.oidc.found'),
      width: 'grow',
      render: ({ message }) => <Message text={message} />,
    },
  ];
  return (
    <>
      <p role="status" className={styles.verdict}>
        <StatusName
          kind={success ? 'succeeded' : 'failed'}
          name={t(success ? 'settings.oidc.usable' : 'settings.oidc.unusable')}
        />{' '}
        <span className={styles.muted}>{issuer}</span>
      </p>
      <div className={styles.bleed}>
        <Table label={t('settings.oidc.checks')} items={checks} getId={({ name }) => name} columns={columns} />
      </div>
      <div className={styles.choice}>
        <span>{t('settings.oidc.redirectAddress')}</span>
        <CopiedText label={t('settings.oidc.redirectAddress')} text={redirectAddress} />
      </div>
    </>
  );
}

function Message({ text }: { readonly text: string }): ReactElement {
  return <span className={styles.wrapped}>{text}</span>;
}

function CheckResult({ check: { result } }: { readonly check: Check }): ReactElement {
  const t = useSettingsMessages();
  return <StatusName kind={resultKinds[result]} name={t(resultNames[result])} />;
}

const checkNames = {
  discovery: 'settings.oidc.check.discovery',
  flow: 'settings.oidc.check.flow',
  keys: 'settings.oidc.check.keys',
  client: 'settings.oidc.check.client',
  redirect: 'settings.oidc.check.redirect',
  scopes: 'settings.oidc.check.scopes',
  groups: 'settings.oidc.check.groups',
} as const satisfies Record<Check['name'], string>;

const resultNames = {
  passed: 'settings.oidc.passed',
  warning: 'settings.oidc.warning',
  failed: 'settings.oidc.failed',
  skipped: 'settings.oidc.skipped',
} as const satisfies Record<Check['result'], string>;

const resultKinds = {
  passed: 'succeeded',
  warning: 'waiting',
  failed: 'failed',
  skipped: 'skipped',
} as const satisfies Record<Check['result'], StatusKind>;
