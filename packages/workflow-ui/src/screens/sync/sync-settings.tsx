import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox, SelectField, TextAreaField, TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import { syncConfigQuery, type SyncConfig, type SyncConfigUpdate } from './sync-data';
import { useSyncMessages } from './sync-messages';
import styles from './sync.module.css';

export interface SyncSettingsProps {
  readonly onClose: () => void;
}

export function SyncSettings({ onClose }: SyncSettingsProps): ReactElement | null {
  const { data } = useQuery(syncConfigQuery);
  return data === undefined ? null : <SettingsForm config={data} onClose={onClose} />;
}

interface Draft {
  readonly config: SyncConfig;
  readonly secret: string;
  readonly webhookSecret: string;
}

interface SettingsFormProps extends SyncSettingsProps {
  readonly config: SyncConfig;
}

function SettingsForm({ config: stored, onClose }: SettingsFormProps): ReactElement {
  const t = useSyncMessages();
  const [draft, setDraft] = useState<Draft>({ config: stored, secret: '', webhookSecret: '' });
  const { config } = draft;
  const change = (changed: Partial<SyncConfig>): void => setDraft({ ...draft, config: { ...config, ...changed } });
  const action = useAction({
    run: () => unwrap(api.PUT('/sync/config', { body: toUpdate(draft) })),
    done: () => t('sync.settings.saved'),
    changes: ['sync'],
    onDone: onClose,
    saysFailure: false,
  });
  return (
    <EditDialog
      title={t('sync.settings.title')}
      submitLabel={t('sync.settings.save')}
      action={action}
      onClose={onClose}
    >
      <Checkbox isSelected={config.enabled} onChange={(enabled) => change({ enabled })}>
        {t('sync.settings.enabled')}
      </Checkbox>
      <TextField
        label={t('sync.settings.repository')}
        description={t('sync.settings.repositoryHint')}
        value={config.repository}
        onChange={(repository) => change({ repository })}
      />
      <div className={styles.pair}>
        <TextField label={t('sync.settings.branch')} value={config.branch} onChange={(branch) => change({ branch })} />
        <TextField
          label={t('sync.settings.path')}
          description={t('sync.settings.pathHint')}
          value={config.path}
          onChange={(path) => change({ path })}
        />
      </div>
      <CredentialFields draft={draft} onChange={setDraft} />
      <TransferFields config={config} onChange={change} />
      <TextField
        label={t('sync.settings.webhook')}
        description={t('sync.settings.tokenHint', { stored: String(stored.hasWebhookSecret) })}
        type="password"
        autoComplete="off"
        value={draft.webhookSecret}
        onChange={(webhookSecret) => setDraft({ ...draft, webhookSecret })}
      />
      {stored.enabled ? <TestConnection /> : null}
    </EditDialog>
  );
}

interface TransferFieldsProps {
  readonly config: SyncConfig;
  readonly onChange: (changed: Partial<SyncConfig>) => void;
}

function TransferFields({ config, onChange }: TransferFieldsProps): ReactElement {
  const t = useSyncMessages();
  return (
    <>
      <Checkbox isSelected={config.pushEnabled} onChange={(pushEnabled) => onChange({ pushEnabled })}>
        {t('sync.settings.push')}
      </Checkbox>
      <Checkbox
        isSelected={config.autoSync.enabled}
        onChange={(enabled) => onChange({ autoSync: { ...config.autoSync, enabled } })}
      >
        {t('sync.settings.automatic')}
      </Checkbox>
      {config.autoSync.enabled ? (
        <TextField
          label={t('sync.settings.interval')}
          inputMode="numeric"
          value={String(config.autoSync.interval)}
          onChange={(text) =>
            onChange({ autoSync: { ...config.autoSync, interval: Number(text.replaceAll(/\D/g, '')) } })
          }
        />
      ) : null}
    </>
  );
}

interface CredentialFieldsProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function CredentialFields({ draft, onChange }: CredentialFieldsProps): ReactElement {
  const t = useSyncMessages();
  const { config, secret } = draft;
  const { auth } = config;
  const isToken = auth.type === 'token';
  const hint = t('sync.settings.tokenHint', { stored: String(isToken ? auth.hasToken : auth.hasSshKey) });
  const change = (changed: Partial<SyncConfig['auth']>): void =>
    onChange({ ...draft, config: { ...config, auth: { ...auth, ...changed } } });
  const field = {
    description: hint,
    value: secret,
    autoComplete: 'off',
    spellCheck: 'false' as const,
    onChange: (text: string) => onChange({ ...draft, secret: text }),
  };
  return (
    <>
      <SelectField
        label={t('sync.settings.auth')}
        value={auth.type}
        options={[
          { value: 'token', label: t('sync.settings.token') },
          { value: 'ssh', label: t('sync.settings.ssh') },
        ]}
        onChange={(type) => change({ type })}
      />
      {isToken ? (
        <TextField label={t('sync.settings.token')} type="password" {...field} />
      ) : (
        <>
          <TextAreaField label={t('sync.settings.ssh')} isMonospaced {...field} />
          <TextAreaField
            label={t('sync.settings.knownHosts')}
            description={t('sync.settings.knownHostsHint')}
            isMonospaced
            rows={2}
            value={auth.knownHosts ?? ''}
            onChange={(knownHosts) => change({ knownHosts })}
          />
        </>
      )}
    </>
  );
}

/** Tests the stored settings. */
function TestConnection(): ReactElement {
  const t = useSyncMessages();
  const test = useAction({ run: () => unwrap(api.POST('/sync/test-connection')), changes: [] });
  const { success = false, message, error } = test.data ?? {};
  return (
    <>
      <Button isPending={test.isPending} onPress={() => test.mutate()}>
        {t('sync.settings.test')}
      </Button>
      <p role="status" className={success ? undefined : styles.failed}>
        {success ? message : error}
      </p>
    </>
  );
}

/** An empty secret stays unchanged. */
function toUpdate({ config, secret, webhookSecret }: Draft): SyncConfigUpdate {
  const { enabled, repository, branch, path, pushEnabled, autoSync, auth } = config;
  const { type, sshKeyPath, secretRef, knownHosts = '' } = auth;
  const given = secret === '' ? {} : type === 'token' ? { token: secret } : { sshKey: secret };
  return {
    enabled,
    repository,
    branch,
    path,
    pushEnabled,
    autoSync,
    auth: {
      type,
      ...given,
      ...(sshKeyPath === undefined ? {} : { sshKeyPath }),
      ...(secretRef === undefined ? {} : { secretRef }),
      ...(knownHosts === '' ? {} : { knownHosts }),
    },
    ...(webhookSecret === '' ? {} : { webhookSecret }),
  };
}
