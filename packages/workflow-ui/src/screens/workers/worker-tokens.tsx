import { useQuery } from '@tanstack/react-query';
import { Button, IconButton, Panel, Table, TextField, Tooltip, type TableColumn } from '@weir/ui-kit';
import { baseAddress, QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import { Plus, Trash2 } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { Age } from '../../parts/age';
import { ConfirmAction } from '../../parts/confirm-action';
import { EditDialog } from '../../parts/edit-dialog';
import { shellQuote } from '../../parts/shell-quote';
import { CopiedText, ShownOnce } from '../../parts/shown-once/shown-once';
import { useAction } from '../../parts/use-action';
import { LabelTags } from './label-tags';
import { parseLabels } from './parse-labels';
import { useWorkersMessages } from './workers-messages';
import styles from '../../parts/screen-body.module.css';

type WorkerToken = Schemas['WorkerToken'];
type Layer =
  | { readonly kind: 'create' }
  | { readonly kind: 'created'; readonly name: string; readonly token: string }
  | { readonly kind: 'revoke'; readonly name: string };

/** The tokens of workers that speak to this server. */
export function WorkerTokens(): ReactElement {
  const t = useWorkersMessages();
  const [layer, setLayer] = useState<Layer | undefined>();
  const query = useQuery<Schemas['WorkerTokensListResponse'], Failure>({
    queryKey: ['worker-tokens'],
    queryFn: ({ signal }) => unwrap(api.GET('/worker-tokens', { signal })),
  });
  const columns = useTokenColumns((name) => setLayer({ kind: 'revoke', name }));
  const close = (): void => setLayer(undefined);
  return (
    <Panel
      title={t('workers.tokens')}
      description={t('workers.tokens.text')}
      actions={
        <Button onPress={() => setLayer({ kind: 'create' })}>
          <Plus aria-hidden size={16} />
          {t('workers.tokens.add')}
        </Button>
      }
    >
      <QueryPanel query={query}>
        {({ workerTokens }) =>
          workerTokens.length === 0 ? (
            <p className={styles.muted}>{t('workers.tokens.none')}</p>
          ) : (
            <div className={styles.bleed}>
              <Table label={t('workers.tokens')} items={workerTokens} getId={({ name }) => name} columns={columns} />
            </div>
          )
        }
      </QueryPanel>
      {layer?.kind === 'create' ? (
        <CreateToken onClose={close} onCreated={(name, token) => setLayer({ kind: 'created', name, token })} />
      ) : null}
      {layer?.kind === 'created' ? (
        <ShownOnce
          title={t('workers.tokens.shown', { name: layer.name })}
          label={t('workers.tokens.token')}
          credential={layer.token}
          onClose={close}
        >
          <p>{t('workers.tokens.start')}</p>
          <CopiedText text={startCommand(layer.token)} label={t('workers.tokens.command')} />
        </ShownOnce>
      ) : null}
      {layer?.kind === 'revoke' ? <RevokeToken name={layer.name} onClose={close} /> : null}
    </Panel>
  );
}

function startCommand(token: string): string {
  const server = shellQuote(baseAddress.href.replace(/\/$/, ''));
  return [`WEIR_SERVER_URL=${server} \\`, `WEIR_WORKER_TOKEN=${token} \\`, 'weir worker'].join('\n');
}

function useTokenColumns(onRevoke: (name: string) => void): readonly TableColumn<WorkerToken>[] {
  const t = useWorkersMessages();
  return [
    {
      id: 'name',
      name: t('workers.tokens.name'),
      isRowHeader: true,
      width: 'grow',
      render: ({ name }) => <strong>{name}</strong>,
    },
    { id: 'labels', name: t('workers.tokens.labels'), render: ({ labels }) => <LabelTags labels={labels} /> },
    { id: 'by', name: t('workers.tokens.by'), render: ({ createdBy }) => createdBy },
    { id: 'created', name: t('workers.tokens.created'), render: ({ createdAt }) => <Age value={createdAt} /> },
    {
      id: 'used',
      name: t('workers.tokens.used'),
      render: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className={styles.muted}>{t('workers.tokens.neverUsed')}</span>
        ) : (
          <Age value={lastUsedAt} />
        ),
    },
    {
      id: 'actions',
      isButtons: true,
      name: t('workers.tokens.actions'),
      align: 'end',
      render: ({ name }) => (
        <Tooltip text={t('workers.tokens.revoke', { name })}>
          <IconButton
            icon={<Trash2 aria-hidden size={16} />}
            label={t('workers.tokens.revoke', { name })}
            onPress={() => onRevoke(name)}
          />
        </Tooltip>
      ),
    },
  ];
}

interface CreateTokenProps {
  readonly onClose: () => void;
  readonly onCreated: (name: string, token: string) => void;
}

function CreateToken({ onClose, onCreated }: CreateTokenProps): ReactElement {
  const t = useWorkersMessages();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [isTried, setIsTried] = useState(false);
  const { labels, wrong } = parseLabels(text);
  const action = useAction({
    run: () => unwrap(api.POST('/worker-tokens', { body: { name, labels } })),
    changes: ['worker-tokens'],
    onDone: ({ token }) => onCreated(name, token),
    saysFailure: false,
  });
  const submit = (): void => {
    setIsTried(true);
    if (wrong === undefined) action.mutate();
  };
  const { isPending, error } = action;
  return (
    <EditDialog
      title={t('workers.tokens.add')}
      submitLabel={t('workers.tokens.add')}
      action={{ mutate: submit, isPending, error }}
      onClose={onClose}
    >
      <TextField
        label={t('workers.tokens.name')}
        description={t('workers.tokens.name.hint')}
        isRequired
        autoFocus
        maxLength={40}
        value={name}
        onChange={setName}
      />
      <TextField
        label={t('workers.tokens.labels')}
        description={t('workers.tokens.labels.hint')}
        error={isTried && wrong !== undefined ? t('workers.tokens.labels.invalid', { entry: wrong }) : undefined}
        value={text}
        onChange={setText}
      />
    </EditDialog>
  );
}

interface RevokeTokenProps {
  readonly name: string;
  readonly onClose: () => void;
}

function RevokeToken({ name, onClose }: RevokeTokenProps): ReactElement {
  const t = useWorkersMessages();
  return (
    <ConfirmAction
      title={t('workers.tokens.revoke', { name })}
      message={t('workers.tokens.revoke.text', { name })}
      confirmLabel={t('workers.tokens.revokeNow')}
      run={() => unwrap(api.DELETE('/worker-tokens/{name}', { params: { path: { name } } }))}
      done={() => t('workers.tokens.revoked', { name })}
      changes={['worker-tokens']}
      onClose={onClose}
    />
  );
}
