import { Button, EmptyState, SplitPane, useToast } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { File, Folder } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { formatBytes } from '../../parts/log/format-bytes';
import type { RunAddress } from '../../parts/run/run-address';
import { saveFile } from '../../parts/save-file';
import { useRunMessages } from '../../parts/run/run-messages';
import { listFiles, readArtifact, useArtifacts, type Artifact } from '../../parts/artifacts/artifact-data';
import { ArtifactPreview } from '../../parts/artifacts/artifact-preview';
import { zipFiles } from './zip-files';
import styles from '../../parts/artifacts/artifacts.module.css';

export interface ArtifactsTabProps {
  readonly address: RunAddress;
  readonly version: number;
  readonly file: string | undefined;
  readonly onSelect: (file: string) => void;
}

/** The files of the run, and the content of the selected one. */
export function ArtifactsTab({ address, version, file, onSelect }: ArtifactsTabProps): ReactElement {
  const t = useRunMessages();
  const query = useArtifacts(address, version);
  return (
    <QueryPanel query={query}>
      {({ items }) => {
        const files = listFiles(items);
        const shown = files.find(({ path }) => path === file) ?? files[0];
        if (shown === undefined) {
          return <EmptyState title={t('run.artifacts.none')}>{t('run.artifacts.none.text')}</EmptyState>;
        }
        return (
          <SplitPane
            label={t('run.artifacts.divider')}
            initialShare={30}
            first={
              <div className={styles.side}>
                <DownloadAll address={address} files={files} />
                <Tree items={items} selected={shown.path} onSelect={onSelect} />
              </div>
            }
            second={<ArtifactPreview key={shown.path} address={address} file={shown.path} />}
          />
        );
      }}
    </QueryPanel>
  );
}

interface TreeProps {
  readonly items: readonly Artifact[];
  readonly selected: string;
  readonly onSelect: (file: string) => void;
}

function Tree({ items, selected, onSelect }: TreeProps): ReactElement {
  return (
    <ul className={styles.tree}>
      {items.map(({ path, name, type, size = 0, children = [] }) => (
        <li key={path}>
          {type === 'directory' ? (
            <>
              <span className={styles.folder}>
                <Folder aria-hidden size={14} />
                {name}
              </span>
              <Tree items={children} selected={selected} onSelect={onSelect} />
            </>
          ) : (
            <button
              type="button"
              aria-current={path === selected}
              className={styles.file}
              onClick={() => onSelect(path)}
            >
              <File aria-hidden size={14} />
              <span className={styles.fileName}>{name}</span>
              <span className={styles.muted}>{formatBytes(size)}</span>
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Limits the archive, which is created in the memory of the page. */
const maxArchiveBytes = 200 * 1024 * 1024;

function DownloadAll({ address, files }: { readonly address: RunAddress; readonly files: readonly Artifact[] }) {
  const t = useRunMessages();
  const toast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const bytes = files.reduce((sum, { size = 0 }) => sum + size, 0);
  const download = async (): Promise<void> => {
    setIsBusy(true);
    try {
      saveFile(await fetchAll(address, files), `${address.name}-${address.runId}.zip`);
    } catch (error) {
      toast({ message: error instanceof Error ? error.message : String(error), tone: 'failed' });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button
      isPending={isBusy}
      disabledReason={bytes > maxArchiveBytes ? t('run.artifacts.tooLargeForAll') : undefined}
      onPress={() => void download()}
    >
      {t('run.artifacts.downloadAll', { count: files.length, size: formatBytes(bytes) })}
    </Button>
  );
}

async function fetchAll(address: RunAddress, files: readonly Artifact[]): Promise<Blob> {
  const entries = [];
  // The files are read sequentially: concurrent requests would only wait for each other.
  for (const { path } of files) entries.push({ path, bytes: await readArtifact(address, path) });
  return zipFiles(entries);
}
