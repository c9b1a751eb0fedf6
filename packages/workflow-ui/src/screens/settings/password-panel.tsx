import { useQueryClient } from '@tanstack/react-query';
import { Button, Panel, TextField } from '@weir/ui-kit';
import { useSentence, unwrap } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { api } from '../../api/client';
import { sessionQuery } from '../../api/session';
import { useAction } from '../../parts/use-action';
import { useSettingsMessages } from './settings-messages';
import styles from './settings.module.css';

/** Changes the password, after which this browser signs in again too. */
export function PasswordPanel(): ReactElement {
  const t = useSettingsMessages();
  const client = useQueryClient();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const { mutate, isPending, error } = useAction({
    run: () => unwrap(api.POST('/auth/change-password', { body: { currentPassword, newPassword } })),
    done: () => t('settings.password.changed'),
    changes: [],
    onDone: () => {
      setCurrent('');
      setNew('');
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    saysFailure: false,
  });
  const problem = useSentence(error);
  return (
    <Panel title={t('settings.password')} description={t('settings.password.text')}>
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <TextField
          label={t('settings.password.current')}
          type="password"
          autoComplete="current-password"
          isRequired
          value={currentPassword}
          onChange={setCurrent}
        />
        <TextField
          label={t('settings.password.new')}
          description={t('settings.password.newHint')}
          type="password"
          autoComplete="new-password"
          isRequired
          minLength={8}
          value={newPassword}
          onChange={setNew}
        />
        {problem === undefined ? null : (
          <p role="alert" className={styles.error}>
            {problem}
          </p>
        )}
        <div>
          <Button type="submit" isPending={isPending}>
            {t('settings.password.change')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
