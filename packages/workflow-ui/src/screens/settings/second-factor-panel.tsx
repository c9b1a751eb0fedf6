import { useQuery } from '@tanstack/react-query';
import { Button, Panel } from '@weir/ui-kit';
import { QueryPanel, Time, unwrap, type Failure } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { ShownOnce } from '../../parts/shown-once/shown-once';
import { BeginSecondFactor, ConfirmSecondFactor, DisableSecondFactor } from './second-factor-dialogs';
import { useSettingsMessages } from './settings-messages';
import styles from './settings.module.css';

type Step =
  | { readonly kind: 'begin' | 'disable' }
  | { readonly kind: 'confirm'; readonly setup: Schemas['SecondFactorSetup'] }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

/** Shows whether a sign-in of the person needs a code, and changes that. */
export function SecondFactorPanel(): ReactElement {
  const t = useSettingsMessages();
  const [step, setStep] = useState<Step | undefined>();
  const query = useQuery<Schemas['SecondFactor'], Failure>({
    queryKey: ['second-factor'],
    queryFn: ({ signal }) => unwrap(api.GET('/auth/second-factor', { signal })),
  });
  return (
    <Panel title={t('settings.factor')} description={t('settings.factor.text')}>
      <QueryPanel query={query}>
        {(factor) => (
          <div className={styles.fields}>
            <FactorState factor={factor} />
            <div>
              <Button onPress={() => setStep({ kind: factor.isEnabled ? 'disable' : 'begin' })}>
                {t(factor.isEnabled ? 'settings.factor.disable' : 'settings.factor.begin')}
              </Button>
            </div>
          </div>
        )}
      </QueryPanel>
      {step === undefined ? null : <FactorDialog step={step} onStep={setStep} />}
    </Panel>
  );
}

function FactorState({ factor }: { readonly factor: Schemas['SecondFactor'] }): ReactElement {
  const t = useSettingsMessages();
  if (factor.enabledAt === undefined) return <p className={styles.muted}>{t('settings.factor.off')}</p>;
  return (
    <p>
      {t('settings.factor.on')} <Time value={factor.enabledAt} />
      <span className={styles.muted}> · {t('settings.factor.codesLeft', { count: factor.recoveryCodesLeft })}</span>
    </p>
  );
}

interface FactorDialogProps {
  readonly step: Step;
  readonly onStep: (step: Step | undefined) => void;
}

function FactorDialog({ step, onStep }: FactorDialogProps): ReactElement {
  const t = useSettingsMessages();
  const onClose = (): void => onStep(undefined);
  switch (step.kind) {
    case 'begin':
      return <BeginSecondFactor onBegun={(setup) => onStep({ kind: 'confirm', setup })} onClose={onClose} />;
    case 'confirm':
      return (
        <ConfirmSecondFactor
          setup={step.setup}
          onConfirmed={(codes) => onStep({ kind: 'codes', codes })}
          onClose={onClose}
        />
      );
    case 'codes':
      return (
        <ShownOnce
          title={t('settings.factor.codes.title')}
          label={t('settings.factor.codes')}
          credential={step.codes.join('\n')}
          onClose={onClose}
        >
          <p>{t('settings.factor.codes.text')}</p>
        </ShownOnce>
      );
    case 'disable':
      return <DisableSecondFactor onClose={onClose} />;
  }
}
