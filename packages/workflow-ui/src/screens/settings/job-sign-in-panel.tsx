import { useQuery } from '@tanstack/react-query';
import { Button, Panel, StatusName, Table, TextAreaField, type TableColumn } from '@weir/ui-kit';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { useAction } from '../../parts/use-action';
import { useSettingsMessages } from './settings-messages';
import styles from './settings.module.css';

type Rule = Schemas['JobRule'] & { readonly number: number };
type Checked = Schemas['CheckJobTokenResponse'];
type Check = Checked['checks'][number];
type ComparedClaim = Checked['rules'][number]['claims'][number] & { readonly rule: number };

/** Which CI jobs may sign in with the token of their platform, and whether a token would. */
export function JobSignInPanel(): ReactElement {
  const t = useSettingsMessages();
  const [token, setToken] = useState('');
  const [checked, setChecked] = useState<Checked | undefined>();
  const { data } = useQuery<Schemas['JobRulesResponse'], Failure>({
    queryKey: ['job-rules'],
    queryFn: ({ signal }) => unwrap(api.GET('/job-sign-in/rules', { signal })),
  });
  const { mutate, isPending } = useAction({
    run: () => unwrap(api.POST('/job-sign-in/check', { body: { token: token.trim() } })),
    changes: [],
    onDone: (found) => {
      setChecked(found);
      setToken('');
    },
  });
  const issuers = data?.issuers ?? [];
  return (
    <Panel title={t('settings.jobs')} description={t('settings.jobs.text')}>
      <div className={styles.results}>
        {data !== undefined && issuers.length === 0 ? (
          <p className={styles.muted}>{t('settings.jobs.off')}</p>
        ) : (
          issuers.map((one) => <IssuerRules key={one.issuer} issuer={one} />)
        )}
        {issuers.length === 0 ? null : (
          <form
            className={styles.fields}
            onSubmit={(event) => {
              event.preventDefault();
              mutate();
            }}
          >
            <TextAreaField
              label={t('settings.jobs.token')}
              description={t('settings.jobs.token.hint')}
              isRequired
              isMonospaced
              rows={3}
              value={token}
              onChange={setToken}
            />
            <div className={styles.buttons}>
              <Button type="submit" isPending={isPending}>
                {t('settings.jobs.check')}
              </Button>
            </div>
          </form>
        )}
        {checked === undefined ? null : <CheckedToken checked={checked} />}
      </div>
    </Panel>
  );
}

function IssuerRules({ issuer: { issuer, audience, rules } }: { readonly issuer: Schemas['JobIssuer'] }): ReactElement {
  const t = useSettingsMessages();
  const columns: readonly TableColumn<Rule>[] = [
    {
      id: 'number',
      name: t('settings.jobs.rule'),
      isRowHeader: true,
      render: ({ number }) => t('settings.jobs.numbered', { number }),
    },
    {
      id: 'claims',
      name: t('settings.jobs.conditions'),
      width: 'grow',
      render: ({ claims }) => (
        <span className={styles.wrapped}>
          {claims.map(({ claim, accepted }) => `${claim}: ${accepted.join(', ')}`).join('; ')}
        </span>
      ),
    },
    {
      id: 'role',
      name: t('settings.jobs.role'),
      render: ({ role, workspaces }) =>
        workspaces === null ? role : t('settings.jobs.roleIn', { role, workspaces: workspaces.join(', ') }),
    },
  ];
  return (
    <div className={styles.results}>
      <p className={styles.verdict}>
        <strong>{issuer}</strong> <span className={styles.muted}>{t('settings.jobs.audience', { audience })}</span>
      </p>
      <div className={styles.bleed}>
        <Table
          label={t('settings.jobs.rules', { issuer })}
          items={rules.map((rule, index) => ({ ...rule, number: index + 1 }))}
          getId={({ number }) => String(number)}
          columns={columns}
        />
      </div>
    </div>
  );
}

const checkNames = {
  issuer: 'settings.jobs.issuer',
  signature: 'settings.jobs.signature',
  claims: 'settings.jobs.claims',
  audience: 'settings.jobs.audience.check',
  expiry: 'settings.jobs.expiry',
  rules: 'settings.jobs.rule',
} as const satisfies Record<Check['name'], string>;

const kinds = { passed: 'succeeded', failed: 'failed', skipped: 'skipped' } as const;

function CheckedToken({ checked: { accepted, issuer, checks, rules } }: { readonly checked: Checked }): ReactElement {
  const t = useSettingsMessages();
  const columns: readonly TableColumn<Check>[] = [
    { id: 'name', name: t('settings.oidc.check'), isRowHeader: true, render: ({ name }) => t(checkNames[name]) },
    {
      id: 'result',
      name: t('settings.oidc.result'),
      render: ({ result }) => <StatusName kind={kinds[result]} name={t(`settings.oidc.${result}`)} />,
    },
    {
      id: 'message',
      name: t('settings.oidc.found'),
      width: 'grow',
      render: ({ message }) => <span className={styles.wrapped}>{message}</span>,
    },
  ];
  const claims = rules.flatMap((rule, index) => rule.claims.map((claim) => ({ ...claim, rule: index + 1 })));
  return (
    <>
      <p role="status" className={styles.verdict}>
        <StatusName
          kind={accepted ? 'succeeded' : 'failed'}
          name={t(accepted ? 'settings.jobs.accepted' : 'settings.jobs.refused')}
        />{' '}
        <span className={styles.muted}>{issuer}</span>
      </p>
      <div className={styles.bleed}>
        <Table label={t('settings.jobs.checks')} items={checks} getId={({ name }) => name} columns={columns} />
      </div>
      {claims.length === 0 ? null : <ComparedClaims claims={claims} />}
    </>
  );
}

function ComparedClaims({ claims }: { readonly claims: readonly ComparedClaim[] }): ReactElement {
  const t = useSettingsMessages();
  const columns: readonly TableColumn<ComparedClaim>[] = [
    {
      id: 'claim',
      name: t('settings.jobs.condition'),
      isRowHeader: true,
      render: ({ rule, claim }) => t('settings.jobs.ofRule', { claim, rule }),
    },
    { id: 'accepted', name: t('settings.jobs.expected'), render: ({ accepted }) => accepted.join(', ') },
    {
      id: 'actual',
      name: t('settings.jobs.actual'),
      width: 'grow',
      render: ({ actual, matches }) => (
        <StatusName
          kind={matches ? 'succeeded' : 'failed'}
          name={actual.length === 0 ? t('settings.jobs.absent') : actual.join(', ')}
        />
      ),
    },
  ];
  return (
    <div className={styles.bleed}>
      <Table
        label={t('settings.jobs.compared')}
        items={claims}
        getId={({ rule, claim }) => `${rule} ${claim}`}
        columns={columns}
      />
    </div>
  );
}
