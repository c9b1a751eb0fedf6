import { TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import { useSettingsMessages } from './settings-messages';

const empty = { issuer: '', clientId: '', clientSecret: '', scopes: 'openid profile email', groupsClaim: 'groups' };

type Draft = typeof empty & { readonly clientUrl: string };

export interface OidcTestDialogProps {
  readonly onTested: (tested: Schemas['OIDCTestResponse']) => void;
  readonly onClose: () => void;
}

/** Settings that the server does not have yet. They are sent only for a test, and not stored. */
export function OidcTestDialog({ onTested, onClose }: OidcTestDialogProps): ReactElement {
  const t = useSettingsMessages();
  const [draft, setDraft] = useState<Draft>({ ...empty, clientUrl: location.origin });
  const action = useAction({
    run: () => unwrap(api.POST('/auth/oidc/test', { body: { settings: toSettings(draft) } })),
    changes: [],
    onDone: (tested) => {
      onTested(tested);
      onClose();
    },
    saysFailure: false,
  });
  const field = (name: keyof Draft, options: { readonly isOptional?: boolean; readonly hint?: string } = {}) => (
    <TextField
      label={t(`settings.oidc.${name}`)}
      {...(options.hint === undefined ? {} : { description: options.hint })}
      {...(name === 'clientSecret' ? { type: 'password' as const } : {})}
      autoComplete="off"
      isRequired={options.isOptional !== true}
      maxLength={4096}
      value={draft[name]}
      onChange={(value) => setDraft({ ...draft, [name]: value })}
    />
  );
  return (
    <EditDialog
      title={t('settings.oidc.testOther')}
      submitLabel={t('settings.oidc.submit')}
      action={action}
      onClose={onClose}
    >
      {field('issuer', { hint: t('settings.oidc.issuerHint') })}
      {field('clientId')}
      {field('clientSecret', { isOptional: true, hint: t('settings.oidc.clientSecretHint') })}
      {field('clientUrl', { hint: t('settings.oidc.clientUrlHint') })}
      {field('scopes')}
      {field('groupsClaim')}
    </EditDialog>
  );
}

function toSettings({ clientSecret, scopes, ...draft }: Draft): Schemas['OIDCTestSettings'] {
  return {
    ...draft,
    ...(clientSecret === '' ? {} : { clientSecret }),
    scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== ''),
  };
}
