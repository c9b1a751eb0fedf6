export { applyPreferences, changePreferences, themes, usePreferences, type Preferences } from '@weir/ui-app';
