import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button, IconButton, Menu, TextAreaField } from '@weir/ui-kit';
import { QueryPanel, useSentence, unwrap } from '@weir/ui-kit/app';
import { Ellipsis, Pencil } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { api } from '../../api/client';
import { useAppMessages } from '../../parts/text/app-messages';
import { Age } from '../../parts/age';
import { useAction } from '../../parts/use-action';
import { useRefusal } from '../../parts/use-refusal';
import { DeleteDocDialog, RenameDocDialog } from './doc-dialogs';
import { bodyOf, docQuery, headLinesOf, type Doc } from './docs-data';
import { useDocsMessages } from './docs-messages';
import { Markdown } from './markdown';
import styles from './docs.module.css';

/** One document, which is read or edited. */
export function DocPage({ path }: { readonly path: string }): ReactElement {
  const { mode } = useSearch({ from: '/docs' });
  const query = useQuery({ ...docQuery(path), refetchOnWindowFocus: mode !== 'edit' });
  return (
    <QueryPanel query={query}>
      {(doc) => (mode === 'edit' ? <DocEditor path={path} doc={doc} /> : <DocReader path={path} doc={doc} />)}
    </QueryPanel>
  );
}

interface DocProps {
  readonly path: string;
  readonly doc: Doc;
}

function DocReader({ path, doc: { title, content, updatedAt, workspace } }: DocProps): ReactElement {
  const t = useDocsMessages();
  const { line } = useSearch({ from: '/docs' });
  const navigate = useNavigate();
  const refusal = useRefusal('updateDoc', workspace);
  const [dialog, setDialog] = useState<'rename' | 'delete' | undefined>();
  const close = (): void => setDialog(undefined);
  const isReadOnly = refusal !== undefined;
  return (
    <article>
      <header className={styles.header}>
        <div>
          <h2>{title}</h2>
          <p className={styles.muted}>
            <code>{path}.md</code> · {t('docs.changed')} <Age value={updatedAt} />
          </p>
        </div>
        <span className={styles.actions}>
          <Button
            disabledReason={refusal}
            onPress={() => void navigate({ to: '/docs', search: { doc: path, mode: 'edit' } })}
          >
            <Pencil aria-hidden size={16} />
            {t('docs.edit')}
          </Button>
          <Menu
            label={t('docs.actions')}
            trigger={<IconButton icon={<Ellipsis aria-hidden size={16} />} label={t('docs.actions')} />}
            entries={[
              { id: 'rename', label: t('docs.rename'), isDisabled: isReadOnly, onSelect: () => setDialog('rename') },
              { id: 'delete', label: t('docs.delete'), isDisabled: isReadOnly, onSelect: () => setDialog('delete') },
            ]}
          />
        </span>
      </header>
      <Markdown text={bodyOf(content)} line={line === undefined ? undefined : line - headLinesOf(content)} />
      {dialog === 'rename' ? <RenameDocDialog path={path} onClose={close} /> : null}
      {dialog === 'delete' ? <DeleteDocDialog path={path} onClose={close} /> : null}
    </article>
  );
}

function DocEditor({ path, doc: { content, revision } }: DocProps): ReactElement {
  const t = useDocsMessages();
  const app = useAppMessages();
  const navigate = useNavigate();
  const [text, setText] = useState(content);
  const leave = (): void => void navigate({ to: '/docs', search: { doc: path } });
  const { mutate, isPending, error } = useAction({
    run: () =>
      unwrap(
        api.PATCH('/docs/doc', {
          params: {
            query: { path },
            ...(revision === null ? {} : { header: { 'if-match': revision } }),
          },
          body: { content: text },
        }),
      ),
    done: () => t('docs.saved', { path }),
    changes: ['docs', 'search'],
    onDone: leave,
    saysFailure: false,
  });
  const problem = useSentence(error);
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <TextAreaField
        label={t('docs.content', { path })}
        rows={20}
        isMonospaced
        autoFocus
        value={text}
        onChange={setText}
      />
      {problem === undefined ? null : (
        <p role="alert" className={styles.error}>
          {problem}
        </p>
      )}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isPending={isPending}>
          {t('docs.save')}
        </Button>
        <Button onPress={leave}>{app('app.cancel')}</Button>
      </div>
      <Markdown text={bodyOf(text)} />
    </form>
  );
}
