import { TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { EditDialog } from '../../parts/edit-dialog';
import { CopiedText } from '../../parts/shown-once/shown-once';
import { useAction } from '../../parts/use-action';
import { QrCode } from './qr-code';
import { useSettingsMessages } from './settings-messages';

type Setup = Schemas['SecondFactorSetup'];

interface DialogProps {
  readonly onClose: () => void;
}

/** Asks for the password, because a stranger at an open browser does not know it. */
export function BeginSecondFactor({
  onBegun,
  onClose,
}: DialogProps & { readonly onBegun: (setup: Setup) => void }): ReactElement {
  const t = useSettingsMessages();
  const [password, setPassword] = useState('');
  const action = useAction({
    run: () => unwrap(api.POST('/auth/second-factor', { body: { password } })),
    changes: [],
    onDone: onBegun,
    saysFailure: false,
  });
  return (
    <EditDialog
      title={t('settings.factor.begin.title')}
      submitLabel={t('settings.factor.next')}
      action={action}
      onClose={onClose}
    >
      <PasswordField value={password} onChange={setPassword} />
    </EditDialog>
  );
}

export interface ConfirmSecondFactorProps extends DialogProps {
  readonly setup: Setup;
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void;
}

/** Shows the secret for the authenticator, and asks for a code of it. */
export function ConfirmSecondFactor({ setup, onConfirmed, onClose }: ConfirmSecondFactorProps): ReactElement {
  const t = useSettingsMessages();
  const [code, setCode] = useState('');
  const action = useAction({
    run: () => unwrap(api.POST('/auth/second-factor/confirm', { body: { code } })),
    done: () => t('settings.factor.enabled'),
    changes: ['second-factor'],
    onDone: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
    saysFailure: false,
  });
  return (
    <EditDialog
      title={t('settings.factor.begin.title')}
      submitLabel={t('settings.factor.confirm')}
      action={action}
      onClose={onClose}
    >
      <p>{t('settings.factor.scan')}</p>
      <QrCode text={setup.address} label={t('settings.factor.qr')} />
      <CopiedText text={setup.secret} label={t('settings.factor.key')} />
      <TextField
        label={t('settings.factor.code')}
        autoComplete="one-time-code"
        isRequired
        autoFocus
        value={code}
        onChange={setCode}
      />
    </EditDialog>
  );
}

export function DisableSecondFactor({ onClose }: DialogProps): ReactElement {
  const t = useSettingsMessages();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const action = useAction({
    run: () => unwrap(api.POST('/auth/second-factor/disable', { body: { password, code } })),
    done: () => t('settings.factor.disabled'),
    changes: ['second-factor'],
    onDone: onClose,
    saysFailure: false,
  });
  return (
    <EditDialog
      title={t('settings.factor.disable.title')}
      submitLabel={t('settings.factor.disable')}
      action={action}
      onClose={onClose}
    >
      <PasswordField value={password} onChange={setPassword} />
      <TextField
        label={t('settings.factor.anyCode')}
        autoComplete="one-time-code"
        isRequired
        value={code}
        onChange={setCode}
      />
    </EditDialog>
  );
}

interface PasswordFieldProps {
  readonly value: string;
  readonly onChange: (password: string) => void;
}

function PasswordField({ value, onChange }: PasswordFieldProps): ReactElement {
  const t = useSettingsMessages();
  return (
    <TextField
      label={t('settings.password.current')}
      type="password"
      autoComplete="current-password"
      isRequired
      autoFocus
      value={value}
      onChange={onChange}
    />
  );
}
