import { Outlet } from '@tanstack/react-router';
import { Frame } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { Palette } from './palette';
import { Rail } from './rail';
import { useShellMessages } from './shell-messages';
import { ShortcutHelp } from './shortcut-help';
import { StaleNotice } from './stale-notice';
import { TopBar } from './top-bar';
import { useShortcuts } from './use-shortcuts';

/** The frame of every page: rail, top bar, content. */
export function Shell(): ReactElement {
  const t = useShellMessages();
  const [layer, setLayer] = useState<'palette' | 'help' | undefined>();
  useShortcuts({ openPalette: () => setLayer('palette'), openHelp: () => setLayer('help') });
  const close = (): void => setLayer(undefined);
  return (
    <Frame
      skipLabel={t('shell.skip')}
      navigationLabel={t('shell.navigation')}
      top={<TopBar onOpenPalette={() => setLayer('palette')} />}
      links={<Rail />}
    >
      <StaleNotice />
      <Outlet />
      {layer === 'palette' ? <Palette onClose={close} /> : null}
      {layer === 'help' ? <ShortcutHelp onClose={close} /> : null}
    </Frame>
  );
}
