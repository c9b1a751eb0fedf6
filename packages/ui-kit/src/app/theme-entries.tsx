import { Monitor, Moon, Sun } from 'lucide-react';
import type { MenuEntry } from '../menu/menu';
import { changePreferences, themes } from './preferences';
import { useAppMessages } from './text/app-messages';

const icons = { system: Monitor, light: Sun, dark: Moon } as const;

/** The entries of a menu that change the theme. */
export function useThemeEntries(): readonly MenuEntry[] {
  const t = useAppMessages();
  return themes.map((theme) => {
    const Icon = icons[theme];
    return {
      id: theme,
      label: t('app.theme', { name: t(`app.theme.${theme}`) }),
      icon: <Icon aria-hidden size={16} />,
      onSelect: () => changePreferences({ theme }),
    };
  });
}
