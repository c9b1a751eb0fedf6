import { shell } from '../../values/execution/shell';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { textList } from '../../shapes/shapes';
import { shellUnsupported } from './deprecated-work-keys';

/** The keys of `with` next to `run`; next to `action` it contains the settings of the action. */
export const runSettingsKind = objectKind({
  title: 'with of run',
  keys: {
    shell: keySpec('Shell of the step, with its arguments', shell),
    shell_args: keySpec('Additional arguments of the shell', textList),
  },
  unsupported: shellUnsupported,
});
