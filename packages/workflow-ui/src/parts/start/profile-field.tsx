import { useQuery } from '@tanstack/react-query';
import { SelectField } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import messages from './profile-messages.json';
import { profilesQuery } from './profiles-query';

const useProfileMessages = defineMessages(messages);
const byDefault = 'default';
const none = 'none';

export interface ProfileFieldProps {
  /** Undefined for the default, and empty for none. */
  readonly profile: string | undefined;
  readonly onChange: (profile: string | undefined) => void;
}

/** Chooses the profile of a run, where there are profiles. */
export function ProfileField({ profile, onChange }: ProfileFieldProps): ReactElement | null {
  const t = useProfileMessages();
  const { data } = useQuery(profilesQuery);
  const usable = (data?.profiles ?? []).filter(({ status }) => status === 'active');
  if (usable.length === 0) return null;
  return (
    <SelectField
      label={t('start.profile')}
      value={toChoice(profile)}
      options={[
        { value: byDefault, label: t('start.profile.default') },
        { value: none, label: t('start.profile.none') },
        ...usable.map(({ name }) => ({ value: `/${name}`, label: name })),
      ]}
      onChange={(choice) => onChange(choice.startsWith('/') ? choice.slice(1) : choice === none ? '' : undefined)}
    />
  );
}

/** No profile has a name with a slash. */
function toChoice(profile: string | undefined): string {
  if (profile === undefined) return byDefault;
  return profile === '' ? none : `/${profile}`;
}
