import { IconButton, Menu, useToast } from '@weir/ui-kit';
import { Download } from 'lucide-react';
import { useContext, type ReactElement } from 'react';
import { useAppMessages } from '../parts/text/app-messages';
import { GraphContext } from './graph-context';
import type { LaidOut } from './graph-items';
import { useGraphMessages } from './graph-messages';

export interface GraphDownloadProps {
  /** The name without an extension. */
  readonly fileName: string;
  readonly laidOut: LaidOut | undefined;
}

const formats = ['svg', 'png'] as const;

/** Saves the whole graph as it is drawn. The browser creates the picture. */
export function GraphDownload({ fileName, laidOut }: GraphDownloadProps): ReactElement | null {
  const t = useGraphMessages();
  const app = useAppMessages();
  const toast = useToast();
  const store = useContext(GraphContext);
  if (laidOut === undefined || laidOut.items.length === 0) return null;
  const save = async (format: (typeof formats)[number]): Promise<void> => {
    const { saveGraph } = await import('./save-graph');
    await saveGraph(format, {
      fileName,
      laidOut,
      lookOf: (names) => store.lookOf(names),
      nameOf: (status) => app(`app.status.${status}`),
    });
  };
  const onError = (): void => toast({ message: t('graph.download.failed'), tone: 'failed' });
  return (
    <Menu
      label={t('graph.download')}
      trigger={<IconButton icon={<Download aria-hidden size={16} />} label={t('graph.download')} />}
      entries={formats.map((format) => ({
        id: format,
        label: t(`graph.download.${format}`),
        onSelect: () => void save(format).catch(onError),
      }))}
    />
  );
}
