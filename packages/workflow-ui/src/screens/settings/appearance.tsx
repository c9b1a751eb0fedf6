import { Panel, Segments, SelectField, Switch } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { changePreferences, densities, languages, themes, usePreferences, useTimeFormat } from '@weir/ui-kit/app';
import { useSettingsMessages } from './settings-messages';
import styles from './settings.module.css';

const localZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** Theme, density, language, zone and keys. */
export function Appearance(): ReactElement {
  const t = useSettingsMessages();
  const format = useTimeFormat();
  const { theme, density, language, timeZone, hasShortcuts } = usePreferences();
  return (
    <Panel title={t('settings.appearance')} description={t('settings.appearance.text')}>
      <div className={styles.fields}>
        <div className={styles.choice}>
          <span>{t('settings.theme')}</span>
          <Segments
            label={t('settings.theme')}
            value={theme}
            segments={themes.map((value) => ({ value, label: t(`settings.theme.${value}`) }))}
            onChange={(value) => changePreferences({ theme: value })}
          />
        </div>
        <div className={styles.choice}>
          <span>{t('settings.density')}</span>
          <Segments
            label={t('settings.density')}
            value={density}
            segments={densities.map((value) => ({ value, label: t(`settings.density.${value}`) }))}
            onChange={(value) => changePreferences({ density: value })}
          />
        </div>
        <SelectField
          label={t('settings.language')}
          value={language}
          options={languages.map((value) => ({ value, label: t(`settings.language.${value}`) }))}
          onChange={(value) => changePreferences({ language: value })}
        />
        <SelectField
          label={t('settings.zone')}
          value={timeZone}
          options={[
            { value: 'local', label: t('settings.zone.local', { zone: localZone }) },
            ...zones.map((zone) => ({ value: zone, label: zone })),
          ]}
          onChange={(zone) => changePreferences({ timeZone: zone })}
        />
        <p className={styles.muted}>{t('settings.zone.now', { time: format.full(new Date()) })}</p>
        <Switch isSelected={hasShortcuts} onChange={(isOn) => changePreferences({ hasShortcuts: isOn })}>
          {t('settings.shortcuts')}
        </Switch>
      </div>
    </Panel>
  );
}
