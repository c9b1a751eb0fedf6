import { useQuery } from '@tanstack/react-query';
import { Button, EmptyState, Table } from '@weir/ui-kit';
import { QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import { KeyRound, Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { ConfirmAction } from '../../parts/confirm-action';
import { ScreenHeader } from '../../parts/screen-header';
import { ShownOnce } from '../../parts/shown-once/shown-once';
import { useRefusal } from '../../parts/use-refusal';
import { useApiKeysMessages } from './api-keys-messages';
import { CreateKey } from './create-key';
import { useKeyColumns } from './key-columns';
import { RotateKey } from './rotate-key';

type ApiKey = Schemas['APIKey'];
type Layer =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate'; readonly apiKey: ApiKey }
  | { readonly kind: 'created'; readonly name: string; readonly secret: string }
  | { readonly kind: 'revoke'; readonly apiKey: ApiKey };

/** The credentials of programs. */
export function ApiKeysScreen(): ReactElement {
  const t = useApiKeysMessages();
  const refusal = useRefusal('createAPIKey');
  const [layer, setLayer] = useState<Layer | undefined>();
  const query = useQuery<Schemas['APIKeysListResponse'], Failure>({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => unwrap(api.GET('/api-keys', { signal })),
  });
  const columns = useKeyColumns({
    onRotate: (apiKey) => setLayer({ kind: 'rotate', apiKey }),
    onRevoke: (apiKey) => setLayer({ kind: 'revoke', apiKey }),
  });
  const close = (): void => setLayer(undefined);
  const showOnce = (name: string, secret: string): void => setLayer({ kind: 'created', name, secret });
  const count = query.data?.apiKeys.length;
  const add = (
    <Button variant="primary" disabledReason={refusal} onPress={() => setLayer({ kind: 'create' })}>
      <Plus aria-hidden size={16} />
      {t('keys.add')}
    </Button>
  );
  return (
    <>
      <ScreenHeader title={t('keys.title')} note={count === undefined ? undefined : t('keys.count', { count })}>
        {count === 0 ? null : add}
      </ScreenHeader>
      <QueryPanel query={query}>
        {({ apiKeys }) =>
          apiKeys.length === 0 ? (
            <EmptyState title={t('keys.empty.title')} icon={<KeyRound aria-hidden size={32} />} action={add}>
              {t('keys.empty.text')}
            </EmptyState>
          ) : (
            <Table label={t('keys.title')} items={apiKeys} getId={({ id }) => id} columns={columns} />
          )
        }
      </QueryPanel>
      {layer?.kind === 'create' ? <CreateKey onClose={close} onCreated={showOnce} /> : null}
      {layer?.kind === 'rotate' ? <RotateKey apiKey={layer.apiKey} onClose={close} onCreated={showOnce} /> : null}
      {layer?.kind === 'created' ? (
        <ShownOnce
          title={t('keys.created.title', { name: layer.name })}
          label={t('keys.created.key')}
          credential={layer.secret}
          onClose={close}
        />
      ) : null}
      {layer?.kind === 'revoke' ? <RevokeKey apiKey={layer.apiKey} onClose={close} /> : null}
    </>
  );
}

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

function RevokeKey({ apiKey: { id, name }, onClose }: RevokeKeyProps): ReactElement {
  const t = useApiKeysMessages();
  return (
    <ConfirmAction
      title={t('keys.revoke', { name })}
      message={t('keys.revoke.text', { name })}
      confirmLabel={t('keys.revokeNow')}
      run={() => unwrap(api.DELETE('/api-keys/{keyId}', { params: { path: { keyId: id } } }))}
      done={() => t('keys.revoked', { name })}
      changes={['api-keys']}
      onClose={onClose}
    />
  );
}
