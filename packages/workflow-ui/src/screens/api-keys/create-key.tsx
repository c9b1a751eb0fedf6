import { CheckField, RadioField, SelectField, TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { accessEverywhere, AccessFields, type Access } from '../../parts/access/access-fields';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import { useApiKeysMessages } from './api-keys-messages';
import styles from './api-keys.module.css';

const lifetimes = ['30', '90', '365', 'never'] as const;
type Lifetime = (typeof lifetimes)[number];
const dayMs = 86_400_000;

const areas = ['read', 'run', 'write', 'manage'] as const;
type Area = (typeof areas)[number];

/** Where a key is accepted. */
const surfaces = {
  both: ['rest_api', 'mcp'],
  api: ['rest_api'],
  mcp: ['mcp'],
} as const satisfies Record<string, Schemas['APIKey']['allowedSurfaces']>;
type Surface = keyof typeof surfaces;

const attributions = ['service_account', 'user_owned'] as const;
type Attribution = Schemas['APIKey']['attributionClass'];

export interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onCreated: (name: string, secret: string) => void;
}

/** The name, the rights and the lifetime of a new key. */
export function CreateKey({ onClose, onCreated }: CreateKeyProps): ReactElement {
  const t = useApiKeysMessages();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [access, setAccess] = useState<Access>(accessEverywhere('operator'));
  const [limits, setLimits] = useState<readonly Area[]>([]);
  const [surface, setSurface] = useState<Surface>('both');
  const [attribution, setAttribution] = useState<Attribution>('service_account');
  const [lifetime, setLifetime] = useState<Lifetime>('90');
  const action = useAction({
    run: () =>
      unwrap(
        api.POST('/api-keys', {
          body: toRequest({ name, description, limits, surface, attribution, lifetime }, access),
        }),
      ),
    changes: ['api-keys'],
    onDone: ({ key }) => onCreated(name, key),
    saysFailure: false,
  });
  return (
    <EditDialog title={t('keys.add')} submitLabel={t('keys.add')} action={action} onClose={onClose}>
      <TextField label={t('keys.name')} isRequired autoFocus maxLength={100} value={name} onChange={setName} />
      <TextField label={t('keys.description')} maxLength={500} value={description} onChange={setDescription} />
      <AccessFields access={access} onChange={setAccess} />
      <fieldset className={styles.group}>
        <legend>{t('keys.limits')}</legend>
        {areas.map((area) => (
          <CheckField
            key={area}
            label={t(`keys.limits.${area}`)}
            description={t(`keys.limits.${area}.hint`)}
            isSelected={limits.includes(area)}
            onChange={(isChosen) => setLimits(areas.filter((one) => (one === area ? isChosen : limits.includes(one))))}
          />
        ))}
        <p className={styles.note}>{t('keys.limits.hint')}</p>
      </fieldset>
      <SelectField
        label={t('keys.surface')}
        value={surface}
        options={(['both', 'api', 'mcp'] as const).map((value) => ({ value, label: t(`keys.surface.${value}`) }))}
        onChange={setSurface}
      />
      <RadioField
        label={t('keys.attribution')}
        value={attribution}
        options={attributions.map((value) => ({
          value,
          label: t(`keys.attribution.${value}`),
          description: t(`keys.attribution.${value}.hint`),
        }))}
        onChange={setAttribution}
      />
      <SelectField
        label={t('keys.expiry')}
        value={lifetime}
        options={lifetimes.map((value) => ({
          value,
          label: value === 'never' ? t('keys.expiry.never') : t('keys.expiry.days', { days: Number(value) }),
        }))}
        onChange={setLifetime}
      />
    </EditDialog>
  );
}

interface NewKey {
  readonly name: string;
  readonly description: string;
  readonly limits: readonly Area[];
  readonly surface: Surface;
  readonly attribution: Attribution;
  readonly lifetime: Lifetime;
}

function toRequest(
  { name, description, limits, surface, attribution, lifetime }: NewKey,
  { role, workspaceAccess }: Access,
): Schemas['CreateAPIKeyRequest'] {
  return {
    name,
    role,
    workspaceAccess,
    allowedSurfaces: [...surfaces[surface]],
    attributionClass: attribution,
    ...(limits.length === 0 ? {} : { scopes: [...limits] }),
    ...(description === '' ? {} : { description }),
    ...(lifetime === 'never' ? {} : { expiresAt: new Date(Date.now() + Number(lifetime) * dayMs).toISOString() }),
  };
}
