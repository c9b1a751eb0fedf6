import { Outlet } from '@tanstack/react-router';
import { Frame, Skeleton } from '@weir/ui-kit';
import { Suspense, useState, type ReactElement } from 'react';
import { useAppMessages } from '../parts/text/app-messages';
import { Palette } from './palette';
import { Rail } from './rail';
import { useShellMessages } from './shell-messages';
import { StaleNotice } from './stale-notice';
import { TopBar } from './top-bar';
import type { StartTarget } from './use-found-commands';
import { useShortcuts } from './use-shortcuts';
import { lazyPart } from '../parts/lazy-part';

const ShortcutHelp = lazyPart(() => import('./shortcut-help'), 'ShortcutHelp');
const StartDialog = lazyPart(() => import('../parts/start/start-dialog'), 'StartDialog');

/** The layer over the page. */
type Layer = 'palette' | 'help' | StartTarget | undefined;

/** The frame of every page: rail, top bar, content. */
export function Shell(): ReactElement {
  const t = useShellMessages();
  const [layer, setLayer] = useState<Layer>();
  useShortcuts({ openPalette: () => setLayer('palette'), openHelp: () => setLayer('help') });
  return (
    <Frame
      skipLabel={t('shell.skip')}
      navigationLabel={t('shell.navigation')}
      top={<TopBar onOpenPalette={() => setLayer('palette')} />}
      links={<Rail />}
    >
      <StaleNotice />
      <Outlet />
      <TopLayer layer={layer} onChange={setLayer} />
    </Frame>
  );
}

interface TopLayerProps {
  readonly layer: Layer;
  readonly onChange: (layer: Layer) => void;
}

function TopLayer({ layer, onChange }: TopLayerProps): ReactElement | null {
  const app = useAppMessages();
  const close = (): void => onChange(undefined);
  if (layer === undefined) return null;
  if (layer === 'palette') return <Palette onClose={close} onStart={onChange} onHelp={() => onChange('help')} />;
  return (
    <Suspense fallback={<Skeleton label={app('app.loading')} rows={1} />}>
      {layer === 'help' ? <ShortcutHelp onClose={close} /> : <StartDialog {...layer} onClose={close} />}
    </Suspense>
  );
}
